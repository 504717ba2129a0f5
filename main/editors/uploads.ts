import { extname } from 'node:path';
import type { Clipboard } from 'electron';
import { z } from 'zod';
import { createClient } from '#api/client.ts';
import type { Preferences } from '#api/desktop.ts';
import { linkOf } from '#api/link-formats.ts';
import { deleteBySecret } from '#api/shares.ts';
import type { Uploaded } from '#api/upload.ts';
import { FileFailure, Reason } from '#main/base/reasons.ts';
import { clipboardSources } from '#main/capture/clipboard.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { serviceUrl } from '#main/service/service-url.ts';
import { type Captures, fileSource, type Source, type Wishes } from '#main/uploader/sources.ts';
import type { Uploader, UploadItem } from '#main/uploader/uploader.ts';
import type { Wanted } from './wanted.ts';

/** Milliseconds for a service that is starting, and without any movement of the queue: together less than the 20 s that editors wait. */
const SERVICE_LIMIT = 6_000;
const IDLE_LIMIT = 12_000;

/** What editors keep of a picture; `key` and `secret` are what {@link EditorUploads.remove} needs again. */
const kept = z.object({ key: z.string(), secret: z.string() });
interface FullResult extends z.infer<typeof kept> {
  imgUrl: string;
  fileName: string;
  extname: string;
  width: number;
  height: number;
  type: 'pixdock';
}

export interface EditorUploads {
  /** In the order wanted. Rejects with a sentence's error when one of them cannot be uploaded. */
  upload(wanted: Wanted): Promise<FullResult[]>;
  /** Deletes pictures by what an earlier upload has answered. */
  remove(entries: unknown): Promise<void>;
}

interface Options {
  uploader: Uploader;
  captures: Captures;
  clipboard: Pick<Clipboard, 'read'>;
  service: Pick<ServiceProcess, 'status' | 'onStatus'>;
  preferences(): Pick<Preferences, 'editorVisibility' | 'editorAlbum'>;
}

/** Uploads for editors: like those of the tray, but told to the editor instead of to the clipboard. */
export function createEditorUploads({ uploader, captures, clipboard, service, preferences }: Options): EditorUploads {
  function wishes(): Wishes & Required<Pick<Wishes, 'fields'>> {
    const { editorVisibility, editorAlbum } = preferences();
    return { fields: { visibility: editorVisibility, ...(editorAlbum !== null && { album_id: editorAlbum }) } };
  }

  function sourcesOf(wanted: Wanted): Promise<Source[]> | Source[] {
    if (wanted.kind === 'paths') return wanted.paths.map((path) => fileSource(path, wishes()));
    if (wanted.kind === 'files') return Promise.all(wanted.files.map(({ path, name }) => captures.adopt(path, { ...wishes(), name })));
    return clipboardSources(clipboard, captures, wishes());
  }

  /** Ends the wait when nothing in the queue moves any more; the pictures stay there. */
  async function settled(sources: readonly Source[]): Promise<UploadItem[]> {
    const stuck = Promise.withResolvers<never>();
    const timer = setTimeout(() => stuck.reject(new Reason('stillUploading')), IDLE_LIMIT);
    const unsubscribe = uploader.onChange(() => timer.refresh());
    try {
      return await Promise.race([Promise.all(uploader.send(sources)), stuck.promise]);
    } finally {
      unsubscribe();
      clearTimeout(timer);
    }
  }

  return {
    async upload(wanted) {
      await serviceUrl(service, SERVICE_LIMIT);
      const items = await settled(await sourcesOf(wanted));
      // The editor is told, and has its files; only what was in the clipboard is nowhere else.
      const failed = items.filter(({ state }) => state === 'failed');
      if (wanted.kind !== 'clipboard') for (const { id } of failed) uploader.discard(id);
      return items.map(resultOf);
    },
    async remove(entries) {
      const client = createClient({ baseUrl: await serviceUrl(service, SERVICE_LIMIT) });
      for (const { key, secret } of z.array(kept).min(1).max(500).parse(entries))
        await client.call(deleteBySecret, { params: { key, secret } });
    },
  };
}

/** @throws what kept the picture from being uploaded, its name before the reason */
function resultOf({ result, error, source }: UploadItem): FullResult {
  if (result) return present(result);
  if (error instanceof Error) throw new FileFailure(source.name, error);
  throw new Reason('wasDiscarded');
}

function present(image: Uploaded): FullResult {
  const { key, name, width, height, links } = image;
  const secret = links.delete_url?.split('/').at(-1) ?? '';
  return { imgUrl: linkOf(image, 'url'), fileName: name, extname: extname(links.url), width, height, type: 'pixdock', key, secret };
}
