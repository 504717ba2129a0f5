import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { formatsWith } from '#api/formats.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import type { Decoding, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import { checkedIn, makeThumbnail } from '#server/platform/imaging/thumbnail.ts';
import type { ThumbnailType } from '#server/platform/imaging/types.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError, type OpenBlob } from '#server/platform/storage/driver.ts';
import { filesBelow } from '#server/platform/storage/local.ts';
import { blobFolders, type Place } from './blob-folders.ts';
import { IN_BACKGROUND, type ThumbnailParts, type Viewer } from './thumbnails.ts';

export type WebFormat = Exclude<ThumbnailType, 'jpeg'>;
export const WEB_FORMATS = formatsWith('thumbnail').filter((name): name is WebFormat => name !== 'jpeg');

/** Thumbnails in formats of the web, with transparency: made on demand, and kept on the disk up to a limit, the least recently used leaving first. */
export interface Formats {
  /** Makes it first if it isn't there. @throws as {@link Thumbnails.open} */
  open(ref: BlobRef, width: number, format: WebFormat, viewer: Viewer): Promise<OpenBlob>;
  /** Whether it is there; otherwise it will be made in the background. */
  isReady(ref: BlobRef, width: number, format: WebFormat): Promise<boolean>;
  /** Resolves when none is being made. */
  settled(): Promise<void>;
}

const GIB = 1024 ** 3;
/** Of all files together, in bytes. */
export const MAX_FORMATS_BYTES = 2 * GIB;
/** Milliseconds for which what couldn't be made in the background isn't tried again, and the number of those that are remembered. */
const FAILURE = { ttl: 10 * 60_000, max: 1_000 };

interface Parts extends ThumbnailParts {
  log: Pick<Logger, 'warn'>;
  maxBytes?: number | undefined;
}

export function createFormats({ folder, staging, decoding, reader, blobs, log, maxBytes = MAX_FORMATS_BYTES }: Parts): Formats {
  const making = new Map<string, Promise<void>>();
  const failed = new LRUCache<string, true>(FAILURE);
  const files = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose(_size, path, reason) {
      if (reason !== 'evict') return;
      const gone = discard(path).finally(() => leaving.delete(gone));
      leaving.add(gone);
    },
  });
  /** Files that are being removed to make room. */
  const leaving = new Set<Promise<void>>();
  const folders = blobFolders(folder);
  const pathOf = (ref: BlobRef, width: number, format: WebFormat) => join(folders.of(ref), `${width}.${format}`);
  /** The files of an earlier run count, too, the oldest first. */
  let known: Promise<void> | undefined;

  async function discard(path: string) {
    reader.forget(path);
    await rm(path, { force: true }).catch((err: unknown) => log.warn({ err }, 'couldn’t remove a picture in a format of the web'));
  }

  async function readFolder() {
    if (!(await ifMissing(stat(folder), undefined))) return;
    const found: { path: string; size: number; mtimeMs: number }[] = [];
    for await (const path of filesBelow(folder)) {
      const state = await ifMissing(stat(path), undefined);
      if (state) found.push({ path, size: state.size, mtimeMs: state.mtimeMs });
    }
    for (const { path, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) if (!files.has(path)) files.set(path, size);
  }

  async function make(ref: BlobRef, width: number, format: WebFormat, { own, place }: { own: Decoding; place: Place }) {
    known ??= readFolder();
    await known;
    const target = pathOf(ref, width, format);
    await using staged = staging.reservePath();
    const driver = await blobs.driverOf(ref.policyId);
    await driver.withFile(ref.sha256, (source) => makeThumbnail(source, { width, type: format }, staged.path, own));
    const { size } = await stat(staged.path);
    // Makes room first, so that the files never take more than they may.
    files.set(target, size);
    await Promise.all(leaving);
    await place(staged.path, target).catch((error: unknown) => {
      files.delete(target);
      throw error;
    });
  }

  function makeOnce(ref: BlobRef, width: number, format: WebFormat, turn: DecodingTurn): Promise<void> {
    const path = pathOf(ref, width, format);
    const known = making.get(path);
    if (known) return known;
    const abandoned = new AbortController();
    const own = decoding.as({ ...turn, signal: abandoned.signal });
    const job = folders
      .make(ref, (place) => make(ref, width, format, { own, place }))
      .finally(() => {
        making.delete(path);
        // It is done, or the blob is gone.
        abandoned.abort();
      });
    making.set(path, job);
    return job;
  }

  async function remove(ref: BlobRef) {
    await folders.remove(ref);
    for (const format of WEB_FORMATS)
      for (const width of THUMBNAIL_WIDTHS) {
        const path = pathOf(ref, width, format);
        reader.forget(path);
        files.delete(path);
      }
  }

  blobs.onRemoval(remove, folders.list);

  return {
    async open(ref, width, format, { who }) {
      const path = pathOf(ref, width, format);
      files.get(path);
      try {
        return await reader.open(path, checkedIn);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) throw error;
      }
      await makeOnce(ref, width, format, { who, purpose: 'view' });
      return reader.open(path, checkedIn);
    },
    async isReady(ref, width, format) {
      const path = pathOf(ref, width, format);
      if (await ifMissing(stat(path), undefined)) return true;
      if (!making.has(path) && !failed.has(path))
        makeOnce(ref, width, format, IN_BACKGROUND).catch((err: unknown) => {
          failed.set(path, true);
          log.warn({ err }, `couldn’t make a picture in the format ${format}`);
        });
      return false;
    },
    settled: folders.settled,
  };
}
