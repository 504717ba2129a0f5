import { extname } from 'node:path';
import type { Clipboard } from 'electron';
import { z } from 'zod';
import { createClient } from '#api/client.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import { linkOf } from '#api/link-formats.ts';
import { deleteBySecret } from '#api/shares.ts';
import type { Uploaded } from '#api/upload.ts';
import { FileFailure, Reason } from '#main/base/reasons.ts';
import { clipboardSources, readClipboard } from '#main/capture/clipboard.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import { serviceUrl } from '#main/service/service-url.ts';
import { type Captures, fileSource, type Source, type SourceOptions } from '#main/uploader/sources.ts';
import type { Uploader, UploadItem } from '#main/uploader/uploader.ts';
import type { Wanted } from './wanted.ts';

/** Milliseconds to wait for a starting service, and for a stalled queue: together less than the 20 s that editors wait. */
const SERVICE_LIMIT = 6_000;
const IDLE_LIMIT = 12_000;

/** The record that editors keep of a picture; {@link EditorUploads.remove} needs its `key` and `secret`. */
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
  /** Uploads in the given order. Rejects with a message for the user when one of them fails. */
  upload(wanted: Wanted): Promise<FullResult[]>;
  /** Deletes pictures by the records of an earlier upload. */
  remove(entries: unknown): Promise<void>;
}

interface Options {
  uploader: Uploader;
  captures: Captures;
  clipboard: Pick<Clipboard, 'read'>;
  service: Pick<ServiceProcess, 'status' | 'onStatus'>;
  preferences(): Pick<Preferences, 'editorVisibility' | 'editorAlbum'>;
}

/** Uploads for editors: like the tray's, but the links go to the editor instead of the clipboard. */
export function createEditorUploads({ uploader, captures, clipboard, service, preferences }: Options): EditorUploads {
  function options(): SourceOptions & Required<Pick<SourceOptions, 'fields'>> {
    const { editorVisibility, editorAlbum } = preferences();
    return { fields: { visibility: editorVisibility, ...(editorAlbum !== null && { album_id: editorAlbum }) } };
  }

  async function sourcesOf(wanted: Wanted): Promise<Source[]> {
    if (wanted.kind === 'paths') return wanted.paths.map((path) => fileSource(path, options()));
    if (wanted.kind === 'files') return Promise.all(wanted.files.map(({ path, name }) => captures.adopt(path, { ...options(), name })));
    return clipboardSources(await readClipboard(clipboard), captures, options());
  }

  /** Stops waiting when the queue stalls; the pictures stay in it. */
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
      // The editor gets the error and still has its files; only a capture of the clipboard exists nowhere else.
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

/** @throws Error with the picture's name and the reason of its failure */
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
