import { copyFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { BrowserWindow } from 'electron';
import { MAX_VIDEO_PART, type SentVideo } from '#api/desktop/drafts.ts';
import { fileNameOf } from '#api/file-name.ts';
import { Reason } from '#main/base/reasons.ts';
import { askWhereToSave } from '#main/base/system/file-dialogs.ts';
import type { Ipc } from '#main/ipc.ts';
import type { Spool, SpoolWriter } from '#main/uploader/spool.ts';
import type { Uploader } from '#main/uploader/uploader.ts';
import { openFile } from '#transfer/open-file.ts';

interface Options {
  ipc: Ipc;
  uploader: Uploader;
  spool: Spool;
  window(): BrowserWindow | undefined;
}

/** Handles the calls about drafts that are videos, whose files are read and written in parts: they may be larger than the memory. */
export function handleDraftVideos({ ipc, uploader, spool, window }: Options) {
  /** The file that the page writes in place of a draft's own. */
  let making: { id: string; name: string; writer: SpoolWriter } | undefined;

  function draftOf(id: string) {
    const draft = uploader.draft(id);
    if (!draft) throw new Reason('draftGone');
    return draft;
  }

  function madeFor(id: string) {
    if (making?.id !== id) throw new Reason('draftGone');
    return making;
  }

  /** Removes what the page has begun to write. */
  async function abandon() {
    const { writer } = making ?? {};
    making = undefined;
    await writer?.abandon();
  }

  async function finish(id: string) {
    const { writer } = madeFor(id);
    making = undefined;
    return writer.finish();
  }

  ipc.handle({
    async readDraftPart(id, start, end) {
      await using file = await openFile(draftOf(id).path);
      const length = Math.min(Math.max(0, end - start), MAX_VIDEO_PART);
      const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    },
    async beginDraftFile(id, ext) {
      await abandon();
      const name = renamed(draftOf(id).name, ext);
      making = { id, name, writer: await spool.begin(name) };
      return undefined;
    },
    async writeDraftPart(id, position, bytes) {
      await madeFor(id).writer.write(bytes, position);
      return undefined;
    },
    async saveDraftFile(id, isWritten) {
      const { name, path } = isWritten ? { ...madeFor(id).writer, name: madeFor(id).name } : draftOf(id);
      const filePath = await askWhereToSave('savedPicture', window(), fileNameOf(name, extname(name).slice(1)));
      if (filePath !== undefined) await copyFile(path, filePath);
      if (isWritten) await abandon();
      return filePath !== undefined;
    },
  });
  return {
    abandon,
    /** @throws Reason `draftGone` as {@link Uploader.sendDraft} */
    async send(id: string, { isWritten, poster }: SentVideo, sendsOn: boolean) {
      const draft = draftOf(id);
      const file = isWritten ? await finish(id) : undefined;
      if (poster) await spool.keepPoster(spool.posterOf({ ...draft, ...file }), poster);
      await uploader.sendDraft(id, file, sendsOn);
    },
  };
}

/** The same file name with another extension. */
export function renamed(name: string, ext: string): string {
  return `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${ext}`;
}
