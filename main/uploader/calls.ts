import { linkStyleOf, type Preferences } from '#api/desktop/preferences.ts';
import type { Upload, UploadSection, UploadStatus } from '#api/desktop/uploads.ts';
import { styledLinks } from '#api/link-formats.ts';
import type { Failure } from '#main/base/failure.ts';
import type { Handlers } from '#main/ipc.ts';
import { type Item, LANE } from '#main/journal/item.ts';
import { fileItem, type Spool } from './spool.ts';
import type { Uploader } from './uploader.ts';

export interface UploadParts {
  uploader: Uploader;
  spool: Spool;
  preferences(): Preferences;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
}

type UploadCalls = 'uploadPaths' | 'uploadPasted' | 'getUploadStatus' | 'getUploads' | 'changeUploads' | 'pauseUploads';

/** Handlers of the pages' calls about uploads. */
export function uploadHandlers(parts: UploadParts): Pick<Handlers, UploadCalls> {
  const { uploader, spool } = parts;
  return {
    uploadPaths: (paths, options) =>
      uploader.upload(
        paths.map((path) => fileItem(path, options)),
        'window',
      ).ids,
    uploadPasted: async ({ name, bytes }, options) => {
      const item = await spool.keep(bytes, name, { name, ...options });
      return uploader.upload([item], 'window').ids;
    },
    getUploadStatus: () => uploadStatus(parts),
    getUploads: ({ section, limit, offset }) => ({
      items: uploader.list(section, limit, offset).map((item) => present(item, parts)),
      total: totalOf(section, uploader),
    }),
    changeUploads: (action, ids) => void uploader.change(action, ids),
    pauseUploads: (paused) => void uploader.setPaused(paused),
  };
}

/** The uploads as a whole, as sent to pages. */
export function uploadStatus({ uploader, describe }: Pick<UploadParts, 'uploader' | 'describe'>): UploadStatus {
  const waitsFor = uploader.waitsFor();
  return { ...uploader.summary(), reason: waitsFor && describe(waitsFor) };
}

function totalOf(section: UploadSection, uploader: Uploader) {
  const { sending, queued, paused, failed } = uploader.summary();
  if (section === 'open') return sending + queued + paused;
  return section === 'failed' ? failed : uploader.countDone();
}

function present(item: Item, { uploader, preferences, describe }: UploadParts): Upload {
  const { id, name, size, image, failure, endedAt } = item;
  const progress = uploader.progress(id);
  const waits = item.state === 'queued' && uploader.waitsFor() !== undefined;
  return {
    id,
    name,
    state: waits ? 'waiting' : (item.state as Upload['state']),
    origin: item.folder ? 'folder' : item.lane === LANE.editor ? 'editor' : 'app',
    size: image?.size ?? size,
    sent: progress?.sent,
    bytesPerSecond: progress?.bytesPerSecond,
    reason: failure && describe(failure),
    retryAt: item.state === 'queued' && item.notBefore > 0 ? item.notBefore : undefined,
    endedAt,
    image: image && {
      key: image.key,
      link: styledLinks([image], linkStyleOf(preferences())),
      shareUrl: image.links.share_url,
      thumbnailUrl: image.links.thumbnail_url,
    },
  };
}
