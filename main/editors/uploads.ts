import { extname } from 'node:path';
import type { Clipboard } from 'electron';
import { z } from 'zod';
import { createClient } from '#api/client.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { UploadSummary } from '#api/desktop/uploads.ts';
import { albumFields } from '#api/images/album-fields.ts';
import { convertField } from '#api/images/convert-field.ts';
import { linkOf } from '#api/sharing/link-formats.ts';
import { deleteBySecret } from '#api/sharing/shares.ts';
import { type Failure, Reason } from '#main/base/reasons.ts';
import { within } from '#main/base/time-limit.ts';
import { clipboardItems, readClipboard } from '#main/capture/clipboard.ts';
import type { NewItem, SentImage } from '#main/journal/item.ts';
import type { Account } from '#main/service/account.ts';
import { fileItem, type SourceOptions, type Spool } from '#main/uploader/spool.ts';
import type { Ended, Uploader } from '#main/uploader/uploader.ts';
import type { UploadRequest } from './upload-request.ts';

/** How long to wait for a starting service, and for a stalled queue: together less than the 20 s that editors wait. */
const SERVICE_LIMIT_MS = 6_000;
const IDLE_LIMIT_MS = 12_000;

/** The record that editors keep of a picture; {@link EditorUploads.remove} needs its `key` and `secret`. */
const record = z.object({ key: z.string(), secret: z.string() });
interface FullResult extends z.infer<typeof record> {
  imgUrl: string;
  fileName: string;
  extname: string;
  /** Absent where the account may not know. */
  width?: number | undefined;
  height?: number | undefined;
  type: 'pixdock';
}

export interface EditorUploads {
  /** Uploads in the given order. Rejects with a message for the user when one of them fails. */
  upload(request: UploadRequest): Promise<FullResult[]>;
  /** Deletes pictures by the records of an earlier upload. */
  remove(entries: unknown): Promise<void>;
}

interface Options {
  uploader: Pick<Uploader, 'send' | 'change' | 'onChange'> & { summary(): Pick<UploadSummary, 'isPaused'> };
  spool: Spool;
  clipboard: Pick<Clipboard, 'read'>;
  account: Pick<Account, 'access'>;
  /** Whether the account may upload videos. */
  takesVideos(): Promise<boolean>;
  preferences(): Pick<Preferences, 'editorVisibility' | 'editorConvert' | 'editorAlbums'>;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
}

/** Uploads for editors: like the tray's, but the links go to the editor instead of the clipboard. */
export function createEditorUploads({ uploader, spool, clipboard, account, takesVideos, preferences, describe }: Options): EditorUploads {
  const reach = () => within(account.access(), SERVICE_LIMIT_MS, () => new Reason('serviceUnreachable'));

  function options(): SourceOptions & Required<Pick<SourceOptions, 'fields'>> {
    const { editorVisibility, editorConvert, editorAlbums } = preferences();
    return { fields: { visibility: editorVisibility, ...convertField(editorConvert), ...albumFields(editorAlbums) } };
  }

  async function filesOf(request: UploadRequest): Promise<NewItem[]> {
    if (request.kind === 'paths') return request.paths.map((path) => fileItem(path, options()));
    if (request.kind === 'files') return Promise.all(request.files.map(({ path, name }) => spool.adopt(path, { ...options(), name })));
    return clipboardItems(await readClipboard(clipboard), spool, takesVideos, options());
  }

  /** Stops waiting when the queue stalls; the pictures stay in it. */
  async function settled(files: readonly NewItem[]): Promise<Ended[]> {
    const stuck = Promise.withResolvers<never>();
    const timer = setTimeout(() => stuck.reject(new Reason('stillUploading')), IDLE_LIMIT_MS);
    const unsubscribe = uploader.onChange(() => timer.refresh());
    try {
      return await Promise.race([Promise.all(uploader.send(files)), stuck.promise]);
    } finally {
      unsubscribe();
      clearTimeout(timer);
    }
  }

  /** @throws Error with the picture's name and the reason of its failure */
  function resultOf({ item, image }: Ended): FullResult {
    if (image) return present(image);
    if (item.failure) throw new Error(`${item.name}: ${describe(item.failure)}`);
    throw new Reason('wasDiscarded');
  }

  return {
    async upload(request) {
      if (uploader.summary().isPaused) throw new Reason('uploadsArePaused');
      await reach();
      const ended = await settled(await filesOf(request));
      // The editor gets the error and still has its files; only a capture of the clipboard exists nowhere else.
      const failed = ended.flatMap(({ item }) => (item.state === 'failed' ? [item.id] : []));
      if (request.kind !== 'clipboard') uploader.change('dismiss', failed);
      return ended.map(resultOf);
    },
    async remove(entries) {
      const client = createClient({ baseUrl: (await reach()).url });
      for (const { key, secret } of z.array(record).min(1).max(500).parse(entries))
        await client.call(deleteBySecret, { params: { key, secret } });
    },
  };
}

function present(image: SentImage): FullResult {
  const { key, name, width, height, links } = image;
  const secret = links.delete_url?.split('/').at(-1) ?? '';
  return { imgUrl: linkOf(image, 'url'), fileName: name, extname: extname(links.url), width, height, type: 'pixdock', key, secret };
}
