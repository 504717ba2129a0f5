import { readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { extOf, formatsWith } from '#api/formats.ts';
import { CallerGoneError } from '#server/platform/base/errors.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import type { Decoding, DecodingQueue, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import {
  checkedIn,
  hashesOf,
  isIntact,
  isOpaque,
  type MadeThumbnail,
  makeThumbnail,
  readOldThumbnail,
  thumbnailFile,
  thumbnailIn,
} from '#server/platform/imaging/thumbnail.ts';
import type { ImageHashes, ThumbnailType } from '#server/platform/imaging/types.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import { BlobMissingError, type OpenBlob } from '#server/platform/storage/driver.ts';
import type { FileReader } from '#server/platform/storage/file-reader.ts';
import type { Staging } from '#server/platform/storage/staging.ts';
import { blobFolders, type Place } from './blob-folders.ts';
import { limitedFiles } from './limited-files.ts';

/**
 * Thumbnails of blobs: made on demand, kept on the disk, and made again if they get lost or damaged. JPEGs are always kept; the other
 * types, which have transparency, only up to a limit.
 */
export interface Thumbnails {
  /**
   * @param width one of the allowed widths, in pixels of the longer side
   * @param viewer whom it is for. A thumbnail that everyone who waited for it has left isn't made
   * @throws BusyError when too many are waiting, CallerGoneError when the viewer has left, BlobMissingError when the blob is removed meanwhile
   */
  open(ref: BlobRef, width: number, viewer: Viewer, type?: ThumbnailType): Promise<OpenBlob>;
  /** Whether it is there; otherwise it will be made in the background. */
  isReady(ref: BlobRef, width: number, type: ThumbnailType): Promise<boolean>;
  /** The hashes of any JPEG, preferably of a small one; makes one if there is none. */
  hashes(ref: BlobRef): Promise<ImageHashes>;
  /** Resolves when none is being made, also for clients that have disconnected. */
  settled(): Promise<void>;
}

/** The client that waits for a thumbnail. */
export type Viewer = Pick<DecodingTurn, 'who' | 'signal'>;

/** The turn of work for the service itself. */
export const IN_BACKGROUND: DecodingTurn = { who: 'service', purpose: 'background' };

interface Wanted {
  ref: BlobRef;
  width: number;
  type: ThumbnailType;
}

/** A thumbnail that is being made, and the number of clients that wait for it. */
interface Making {
  /** The hashes are there if the original was the source of a JPEG. */
  done: Promise<MadeThumbnail>;
  waiting: number;
  abandon(): void;
}

/** Made where any would do: the default of thumbnail links. */
const ANY_WIDTH = 400;

/** Of all that aren't JPEGs together. */
const MAX_OPTIONAL_BYTES = 2 * 1024 ** 3;
/** Milliseconds for which what couldn't be made in the background isn't tried again, and the number of those that are remembered. */
const FAILURE = { ttl: 10 * 60_000, max: 1_000 };

interface Parts {
  /** Absolute path. */
  folder: string;
  staging: Staging;
  decoding: DecodingQueue;
  reader: FileReader;
  blobs: Pick<Blobs, 'driverOf' | 'onRemoval'>;
  log: Pick<Logger, 'warn'>;
  /** See {@link MAX_OPTIONAL_BYTES}; less in tests. */
  maxOptionalBytes?: number | undefined;
  /** Called with the hashes of a blob's first thumbnail. */
  onFirst?(ref: BlobRef, hashes: ImageHashes): void;
}

export function createThumbnails(parts: Parts): Thumbnails {
  const { folder, staging, decoding, reader, blobs, log, maxOptionalBytes = MAX_OPTIONAL_BYTES, onFirst } = parts;
  const making = new Map<string, Making>();
  const failed = new LRUCache<string, true>(FAILURE);
  const optionalFolder = join(folder, 'formats');
  const [jpegs, optional] = [blobFolders(folder), blobFolders(optionalFolder)];
  const limited = limitedFiles(optionalFolder, maxOptionalBytes, log, reader.forget);
  const foldersOf = (type: ThumbnailType) => (type === 'jpeg' ? jpegs : optional);
  const pathOf = ({ ref, width, type }: Wanted) => join(foldersOf(type).of(ref), `${width}.${extOf(type)}`);
  const jpegOf = (ref: BlobRef, width: number) => pathOf({ ref, width, type: 'jpeg' });

  async function make(wanted: Wanted, own: Decoding, place: Place): Promise<MadeThumbnail> {
    const { ref, width, type } = wanted;
    const target = pathOf(wanted);
    await using staged = staging.reservePath();
    if (type === 'jpeg') return await makeJpeg(wanted, { target, staged: staged.path, own, place });
    const driver = await blobs.driverOf(ref.policyId);
    const made = await driver.withFile(ref.sha256, (source) => makeThumbnail(source, { width, type }, staged.path, own));
    await limited.add(target, (await stat(staged.path)).size, () => place(staged.path, target));
    return made;
  }

  async function makeJpeg(
    { ref, width }: Wanted,
    { target, staged, own, place }: { target: string; staged: string; own: Decoding; place: Place },
  ): Promise<MadeThumbnail> {
    const existing = await namesOf(ref);
    const kept = existing.includes(basename(target)) ? await readOpaque(ref, target, own) : undefined;
    if (kept) {
      await writeFile(staged, thumbnailFile(kept));
      await place(staged, target);
      return { picture: kept, hashes: undefined };
    }
    const made = await withSource(ref, { width, existing }, (source, isOriginal) =>
      makeThumbnail(source, { width, withHashes: isOriginal }, staged, own),
    );
    await place(staged, target);
    if (made.hashes) onFirst?.(ref, made.hashes);
    return made;
  }

  /** The names of the files of a blob's JPEGs. Looking for each of them would cost several times as much. */
  const namesOf = (ref: BlobRef): Promise<string[]> => ifMissing(readdir(jpegs.of(ref)), []);

  /** A thumbnail of version 0.4 that is as good as a new one: only behind transparent images, new ones look different. */
  async function readOpaque(ref: BlobRef, path: string, own: Decoding): Promise<Buffer | undefined> {
    const jpeg = await readOldThumbnail(path);
    if (!jpeg) return undefined;
    const driver = await blobs.driverOf(ref.policyId);
    return (await driver.withFile(ref.sha256, (original) => isOpaque(original, own))) ? jpeg : undefined;
  }

  /** A larger thumbnail is a much cheaper source than the original, and from twice the size on just as good. */
  async function withSource<T>(
    ref: BlobRef,
    { width, existing }: { width: number; existing: readonly string[] },
    use: (path: string, isOriginal: boolean) => Promise<T>,
  ): Promise<T> {
    for (const larger of THUMBNAIL_WIDTHS.filter((other) => other >= 2 * width)) {
      const path = jpegOf(ref, larger);
      if (existing.includes(basename(path)) && (await isIntact(path))) return use(path, false);
    }
    const driver = await blobs.driverOf(ref.policyId);
    return driver.withFile(ref.sha256, (path) => use(path, true));
  }

  function begin(wanted: Wanted, turn: DecodingTurn): Making {
    const path = pathOf(wanted);
    const abandoned = new AbortController();
    const own = decoding.as({ ...turn, signal: abandoned.signal });
    const job: Making = {
      done: foldersOf(wanted.type)
        .make(wanted.ref, (place) => make(wanted, own, place))
        .finally(() => {
          making.delete(path);
          // Whoever waited has the result, or the blob is gone.
          abandoned.abort();
        }),
      waiting: 0,
      abandon: () => abandoned.abort(),
    };
    making.set(path, job);
    return job;
  }

  /** Waits for a job until the client leaves; the last to leave takes the job with it. */
  async function waitFor(job: Making, signal: AbortSignal | undefined) {
    const leave = () => {
      job.waiting--;
      if (job.waiting === 0) job.abandon();
    };
    job.waiting++;
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await job.done;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async function makeOnce(wanted: Wanted, turn: DecodingTurn): Promise<MadeThumbnail> {
    for (;;) {
      try {
        return await waitFor(making.get(pathOf(wanted)) ?? begin(wanted, turn), turn.signal);
      } catch (error) {
        // Those whom the job was made for left before this client came.
        if (!(error instanceof CallerGoneError) || turn.signal?.aborted) throw error;
      }
    }
  }

  async function remove(ref: BlobRef) {
    await Promise.all([jpegs.remove(ref), optional.remove(ref)]);
    for (const type of formatsWith('thumbnail'))
      for (const width of THUMBNAIL_WIDTHS) {
        const path = pathOf({ ref, width, type });
        reader.forget(path);
        limited.forget(path);
      }
  }

  // The folder of the others is in that of the JPEGs.
  blobs.onRemoval(remove, jpegs.list);

  return {
    async open(ref, width, { who, signal }, type = 'jpeg') {
      if (signal?.aborted) throw new CallerGoneError();
      const wanted = { ref, width, type };
      const path = pathOf(wanted);
      limited.use(path);
      try {
        return await reader.open(path, type === 'jpeg' ? thumbnailIn : checkedIn);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) throw error;
      }
      const { picture } = await makeOnce(wanted, { who, purpose: 'view', signal });
      return reader.keep(path, picture);
    },
    async isReady(ref, width, type) {
      const wanted = { ref, width, type };
      const path = pathOf(wanted);
      if (await ifMissing(stat(path), undefined)) return true;
      if (!making.has(path) && !failed.has(path))
        makeOnce(wanted, IN_BACKGROUND).catch((err: unknown) => {
          failed.set(path, true);
          log.warn({ err }, `couldn’t make a picture in the format ${type}`);
        });
      return false;
    },
    async hashes(ref) {
      const inBackground = decoding.as(IN_BACKGROUND);
      const existing = await namesOf(ref);
      for (const width of THUMBNAIL_WIDTHS) {
        const path = jpegOf(ref, width);
        if (existing.includes(basename(path)) && (await isIntact(path))) return hashesOf(path, inBackground);
      }
      const { hashes } = await makeOnce({ ref, width: ANY_WIDTH, type: 'jpeg' }, IN_BACKGROUND);
      return hashes ?? hashesOf(jpegOf(ref, ANY_WIDTH), inBackground);
    },
    settled: async () => void (await Promise.all([jpegs.settled(), optional.settled()])),
  };
}
