import * as api from '#api/upload.ts';
import type { Actor } from '../auth/actor.ts';
import type { Context } from '../context.ts';
import { groupById, groupOfKind } from '../groups/groups.ts';
import { InvalidRequestError, RequestError } from '../http/errors.ts';
import { bind } from '../http/routes.ts';
import { presentImage } from '../images/present.ts';
import { fileTooLarge, withForm } from './form.ts';
import { readOptions } from './options.ts';
import { createUploadRates } from './rates.ts';
import { storeUpload, type Uploader } from './upload.ts';

/** What a form may carry around its file: boundaries, names, text fields. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

export function uploadRoutes(context: Context) {
  const { db, settings, staging, links } = context;
  const rates = createUploadRates();

  async function uploaderOf(actor: Actor): Promise<Uploader> {
    if (actor.kind === 'member') return { user: actor.user, group: await groupById(db.read, actor.user.group_id), address: actor.address };
    if (!settings.current().guest_upload_enabled)
      throw new RequestError('guest_disabled', 'Guests cannot upload here. Sign in, or send a token.');
    return { user: undefined, group: await groupOfKind(db.read, 'guest'), address: actor.address };
  }

  return [
    bind(api.upload, async ({ actor, request, response }) => {
      const uploader = await uploaderOf(actor);
      const { group, user, address } = uploader;
      const announced = Number(request.headers['content-length'] ?? 0);
      if (group.max_file_bytes > 0 && announced > group.max_file_bytes + FORM_OVERHEAD_BYTES) throw fileTooLarge(group.max_file_bytes);
      await rates.take(user ? `user ${user.id}` : `guest ${address}`, group);
      return withForm(request, response, staging, group.max_file_bytes, async ({ fields, file }) => {
        if (!file) throw new InvalidRequestError('The form has no picture: send it in the field “file”.', { field: 'file' });
        if (file.size === 0) throw new RequestError('damaged_image', 'The file is empty.', { field: 'file' });
        const options = await readOptions(fields, group, { visibility: 'public' }, Date.now());
        const { row, reused } = await storeUpload(context, uploader, file, options);
        return { ...presentImage(row, links), reused };
      });
    }),
  ];
}
