import { join } from 'node:path';
import { linkStyleOf, type Preferences } from '#api/desktop/preferences.ts';
import type { Upload, UploadOptions, UploadSection, UploadStatus } from '#api/desktop/uploads.ts';
import { convertField } from '#api/images/convert-field.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { reachOf } from '#api/sharing/reach.ts';
import { atMost } from '#main/base/at-most.ts';
import { systemClock } from '#main/base/clock.ts';
import type { Failure } from '#main/base/reasons.ts';
import { EVENTS_PER_SECOND, type Ipc } from '#main/ipc.ts';
import type { Origin } from '#main/journal/batches.ts';
import { type Item, LANE, type NewItem, type SentImage } from '#main/journal/item.ts';
import { type Journal, openJournal } from '#main/journal/journal.ts';
import { type Account, takesVideos } from '#main/service/account.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import { filesAmong } from './given-files.ts';
import { takeOldCaptures } from './old-captures.ts';
import { createQueue } from './queue.ts';
import { sendWith } from './send.ts';
import { fileItem, openSpool, type Spool } from './spool.ts';
import { type BatchResult, createUploader, type Uploader } from './uploader.ts';

interface Options {
  ipc: Ipc;
  /** Absolute path of the app's own folder. */
  folder: string;
  account: Account;
  preferences(): Preferences;
  /** What links start with now; undefined where another computer hosts, or until the service runs. */
  linkAddress(): string | undefined;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  deliver(batch: BatchResult): Promise<boolean>;
  keepCopy(item: Item, origin: Origin | undefined): Promise<void>;
}

/** Main's uploader, which continues with what an earlier run left. */
export function setupUploader({ ipc, folder, account, preferences, linkAddress, describe, deliver, keepCopy }: Options): {
  journal: Journal;
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
} {
  const journal = openJournal(join(folder, 'uploads.db'));
  const spool = openSpool(join(folder, 'spool'));
  const queue = createQueue({ journal, account, send: sendWith(account, spool.posterOf), clock: systemClock });
  const usual = () => convertField(preferences().convert);
  const uploader = createUploader({ journal, queue, spool, account, deliver, keepCopy, usual });
  const arrivals = createArrivals(uploader, preferences);
  connectUploads(ipc, { uploader, arrivals, spool, account, preferences, linkAddress, describe });

  async function tidy() {
    await spool.clean(journal.items.spooled());
    await takeOldCaptures(join(folder, 'captures'), spool, (item) => uploader.resume([item]));
  }
  tidy().catch((error: unknown) => console.error('Couldn’t look for pictures of an earlier run:', error));
  return { journal, uploader, arrivals, spool };
}

interface Parts {
  uploader: Uploader;
  arrivals: Arrivals;
  spool: Spool;
  account: Account;
  preferences(): Preferences;
  linkAddress(): string | undefined;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
}

/** Handles the calls about uploads, and reports changes to pages. */
function connectUploads(ipc: Ipc, parts: Parts): void {
  const { uploader, arrivals, spool, account } = parts;
  const upload = (files: readonly NewItem[], options: UploadOptions | undefined) =>
    options?.dropped
      ? arrivals.take(files, { trigger: 'drop', origin: 'window', ...options.dropped }).ids
      : uploader.upload(files, 'window', options?.copy === false ? null : {}).ids;
  const status = () => uploadStatus(parts);
  uploader.onChange(atMost(EVENTS_PER_SECOND, () => ipc.tell('uploadStatus', status())));
  ipc.handle({
    uploadPaths: async (paths, options) => {
      const files = await filesAmong(paths, () => takesVideos(account));
      // A folder may have no pictures; the page says so.
      return files.length === 0
        ? []
        : upload(
            files.map((path) => fileItem(path, options)),
            options,
          );
    },
    uploadPasted: async ({ name, bytes }, options) => {
      const item = await spool.keep(bytes, name, { name, ...options });
      return upload([item], options);
    },
    getUploadStatus: status,
    getUploads: ({ section, limit, offset }) => ({
      items: uploader.list(section, limit, offset).map((item) => present(item, parts)),
      total: totalOf(section, uploader),
    }),
    changeUploads: (action, ids) => void uploader.change(action, ids),
    pauseUploads: (paused) => void uploader.setPaused(paused),
  });
}

/** A picture whose links start with the present link address: the journal has those of the time of the upload. */
function withAddress(image: SentImage, address: string | undefined): SentImage {
  const { origin } = new URL(image.links.url);
  if (address === undefined || address === origin) return image;
  const links = Object.entries(image.links).map(([name, text]) => [name, text.replaceAll(origin, address)]);
  return { ...image, links: Object.fromEntries(links) };
}

/** The uploads as a whole, as sent to pages. */
function uploadStatus({ uploader, account, describe }: Parts): UploadStatus {
  const waitsFor = uploader.waitsFor();
  const user = /^local:(\d+)$/.exec(account.id() ?? '')?.[1];
  return { ...uploader.summary(), reason: waitsFor && describe(waitsFor), userId: user === undefined ? undefined : Number(user) };
}

function totalOf(section: UploadSection, uploader: Uploader) {
  const { sending, queued, paused, failed, done } = uploader.summary();
  if (section === 'draft') return uploader.summary().drafts;
  if (section === 'open') return sending + queued + paused;
  return section === 'failed' ? failed : done;
}

function present(item: Item, { uploader, preferences, linkAddress, describe }: Parts): Upload {
  const { id, name, size, failure, addedAt, endedAt } = item;
  const image = item.image && withAddress(item.image, linkAddress());
  const progress = uploader.progress(id);
  const waits = item.state === 'queued' && uploader.waitsFor() !== undefined;
  return {
    id,
    name,
    state: waits ? 'waiting' : (item.state as Upload['state']),
    origin: item.folder ? 'folder' : item.lane === LANE.editor ? 'editor' : 'app',
    size: image?.size ?? progress?.size ?? size,
    sent: progress?.sent,
    bytesPerSecond: progress?.bytesPerSecond,
    reason: failure && describe(failure),
    retryAt: item.state === 'queued' && item.notBefore > 0 ? item.notBefore : undefined,
    addedAt,
    endedAt,
    isMarked: item.state === 'draft' ? item.marks !== undefined : undefined,
    image: image && {
      key: image.key,
      link: styledLinks([image], linkStyleOf(preferences())),
      shareUrl: image.links.share_url,
      thumbnailUrl: image.links.thumbnail_url,
      who: image.visibility === 'private' ? 'private' : reachOf(image.links.url),
    },
  };
}
