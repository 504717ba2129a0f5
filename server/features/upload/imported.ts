import { groupById } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Caller, Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { ReceivedFile } from '#server/platform/http/form.ts';
import { identifyUpload, isKnownKey } from './keys.ts';
import { checkOptions, readFields, resolveOptions, uploadDefaults } from './options.ts';
import { storeUpload } from './upload.ts';
import { maxUploadBytes, type UploadResult } from './uploader.ts';

/** What is set beside the fields of an upload, where the picture has nothing of it yet. */
interface Addition {
  caption: string;
  favourite: boolean;
  /** Takes precedence over the picture's own. RFC 3339. */
  takenAt: string | undefined;
}

interface ImportedUpload {
  caller: Caller;
  user: UserRow;
  /** Identifies the picture at its source. */
  key: string;
  file: ReceivedFile;
  fields: Record<string, unknown>;
  addition: Addition;
}

/** Uploads that the service makes itself, with the rules of all others. */
export function createImporter(context: Context) {
  const { db } = context;
  return {
    /** Whether a picture has been imported, whatever has become of it. */
    isKnown: (user: UserRow, key: string): Promise<boolean> => isKnownKey(db.read, { user, address: '' }, key),

    /** The largest file that a user may upload, in bytes; 0: unlimited. */
    maxBytes: async ({ group_id }: UserRow): Promise<number> => maxUploadBytes(await groupById(db.read, group_id)),

    /** @throws RequestError or ImageError with the reason */
    async upload({ caller, user, key, file, fields, addition }: ImportedUpload): Promise<UploadResult> {
      const group = await groupById(db.read, user.group_id);
      const turn = { who: `user ${user.id}`, purpose: 'background' as const };
      const uploader = { caller, user, group, address: '', isTrusted: true, turn };
      const parsed = readFields(fields);
      const defaults = await uploadDefaults(db.read, user, group);
      const options = await resolveOptions(parsed, uploader, defaults, Date.now());
      return storeUpload(context, uploader, {
        file,
        options,
        optionsIn: (present) => checkOptions(parsed, present, defaults, Date.now()),
        keyed: identifyUpload(uploader, key, file.sha256, parsed),
        complete: (queries, { row, reused }) => add(queries, row, reused, addition),
      });
    },
  };
}

async function add(queries: Queries, row: ImageRow, isRepeat: boolean, { caption, favourite, takenAt }: Addition) {
  const change = {
    ...(caption && !row.caption && { caption }),
    ...(favourite && !row.favourite && { favourite: 1 as const }),
    ...(takenAt && !isRepeat && { taken_at: Date.parse(takenAt) }),
  };
  if (Object.keys(change).length === 0) return;
  await queries
    .updateTable('images')
    .set({ ...change, updated_at: Date.now() })
    .where('id', '=', row.id)
    .execute();
  if (isRepeat) tellImages(queries, 'image.changed', [row]);
}
