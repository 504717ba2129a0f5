import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { CallerGoneError } from '#server/platform/base/errors.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import type { Decoding, DecodingQueue, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import {
  hashesOf,
  isIntact,
  isOpaque,
  type MadeThumbnail,
  makeThumbnail,
  readOldThumbnail,
  thumbnailFile,
  thumbnailIn,
} from '#server/platform/imaging/thumbnail.ts';
import type { ImageHashes } from '#server/platform/imaging/types.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import { BlobMissingError, type OpenBlob } from '#server/platform/storage/driver.ts';
import type { FileReader } from '#server/platform/storage/file-reader.ts';
import type { Staging } from '#server/platform/storage/staging.ts';
import { blobFolders, type Place } from './blob-folders.ts';

/** Thumbnails of blobs: generated on demand, stored on disk, and generated again if they get lost or damaged. */
export interface Thumbnails {
  /**
   * @param width one of the allowed widths, in pixels of the longer side
   * @param viewer whom it is for. A thumbnail that everyone who waited for it has left isn't made
   * @throws BusyError when too many are waiting, CallerGoneError when the viewer has left, BlobMissingError when the blob is removed meanwhile
   */
  open(ref: BlobRef, width: number, viewer: Viewer): Promise<OpenBlob>;
  /** The hashes of any thumbnail, preferably of a small one; makes one if there is none. */
  hashes(ref: BlobRef): Promise<ImageHashes>;
  /** Resolves when none is being generated, also for clients that have disconnected. */
  settled(): Promise<void>;
}

/** The client that waits for a thumbnail. */
export type Viewer = Pick<DecodingTurn, 'who' | 'signal'>;

/** The turn of work for the service itself. */
export const IN_BACKGROUND: DecodingTurn = { who: 'service', purpose: 'background' };

/** A thumbnail that is being made, and the number of clients that wait for it. */
interface Making {
  /** The hashes are there if the original was the source. */
  done: Promise<MadeThumbnail>;
  waiting: number;
  abandon(): void;
}

/** Made where any would do: the default of thumbnail links. */
const ANY_WIDTH = 400;

/** What thumbnails are made with, in any format. */
export interface ThumbnailParts {
  /** Absolute path. */
  folder: string;
  staging: Staging;
  decoding: DecodingQueue;
  reader: FileReader;
  blobs: Pick<Blobs, 'driverOf' | 'onRemoval'>;
}

interface Parts extends ThumbnailParts {
  /** Called with the hashes of a blob's first thumbnail. */
  onFirst?(ref: BlobRef, hashes: ImageHashes): void;
}

export function createThumbnails({ folder, staging, decoding, reader, blobs, onFirst }: Parts): Thumbnails {
  const making = new Map<string, Making>();
  const folders = blobFolders(folder);
  const pathOf = (ref: BlobRef, width: number) => join(folders.of(ref), `${width}.jpg`);

  async function make(ref: BlobRef, width: number, own: Decoding, place: Place): Promise<MadeThumbnail> {
    const target = pathOf(ref, width);
    await using staged = staging.reservePath();
    const existing = await namesOf(ref);
    const kept = existing.includes(basename(target)) ? await readOpaque(ref, target, own) : undefined;
    if (kept) {
      await writeFile(staged.path, thumbnailFile(kept));
      await place(staged.path, target);
      return { picture: kept, hashes: undefined };
    }
    const made = await withSource(ref, { width, existing }, (source, isOriginal) =>
      makeThumbnail(source, { width, withHashes: isOriginal }, staged.path, own),
    );
    await place(staged.path, target);
    if (made.hashes) onFirst?.(ref, made.hashes);
    return made;
  }

  /** The names of the files of a blob's thumbnails. Looking for each of them would cost several times as much. */
  const namesOf = (ref: BlobRef): Promise<string[]> => ifMissing(readdir(folders.of(ref)), []);

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
      const path = pathOf(ref, larger);
      if (existing.includes(basename(path)) && (await isIntact(path))) return use(path, false);
    }
    const driver = await blobs.driverOf(ref.policyId);
    return driver.withFile(ref.sha256, (path) => use(path, true));
  }

  function begin(ref: BlobRef, width: number, path: string, turn: DecodingTurn): Making {
    const abandoned = new AbortController();
    const own = decoding.as({ ...turn, signal: abandoned.signal });
    const job: Making = {
      done: folders
        .make(ref, (place) => make(ref, width, own, place))
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

  async function makeOnce(ref: BlobRef, width: number, turn: DecodingTurn): Promise<MadeThumbnail> {
    const path = pathOf(ref, width);
    for (;;) {
      try {
        return await waitFor(making.get(path) ?? begin(ref, width, path, turn), turn.signal);
      } catch (error) {
        // Those whom the job was made for left before this client came.
        if (!(error instanceof CallerGoneError) || turn.signal?.aborted) throw error;
      }
    }
  }

  async function remove(ref: BlobRef) {
    await folders.remove(ref);
    for (const width of THUMBNAIL_WIDTHS) reader.forget(pathOf(ref, width));
  }

  blobs.onRemoval(remove, folders.list);

  return {
    async open(ref, width, { who, signal }) {
      if (signal?.aborted) throw new CallerGoneError();
      const path = pathOf(ref, width);
      try {
        return await reader.open(path, thumbnailIn);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) throw error;
      }
      const { picture } = await makeOnce(ref, width, { who, purpose: 'view', signal });
      return reader.keep(path, picture);
    },
    async hashes(ref) {
      const inBackground = decoding.as(IN_BACKGROUND);
      const existing = await namesOf(ref);
      for (const width of THUMBNAIL_WIDTHS) {
        const path = pathOf(ref, width);
        if (existing.includes(basename(path)) && (await isIntact(path))) return hashesOf(path, inBackground);
      }
      const { hashes } = await makeOnce(ref, ANY_WIDTH, IN_BACKGROUND);
      return hashes ?? hashesOf(pathOf(ref, ANY_WIDTH), inBackground);
    },
    settled: folders.settled,
  };
}
