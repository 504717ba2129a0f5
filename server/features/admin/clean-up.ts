import { rename, rm } from 'node:fs/promises';
import type { CleanedUp, CleanUp } from '#api/admin/system.ts';
import type { Context } from '#server/core/context.ts';
import { purgeTrashed } from '#server/core/images/lifetime/trash.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { folderSize } from './folder-size.ts';
import { thumbnailsFolder, unusedBytes } from './space.ts';

type Parts = Pick<Context, 'config' | 'blobs' | 'staging'> & { db: WritableDatabase };

/**
 * Frees space and records it in the audit log. What a backup or another server may still need is freed later.
 * @throws RequestError `conflict` for unused files during a backup
 */
export async function cleanUp(parts: Parts, what: CleanUp, origin: AuditOrigin): Promise<CleanedUp> {
  if (what === 'unused') parts.blobs.requireRemovals();
  const freed_bytes = await HANDLERS[what](parts);
  const later_bytes = what === 'thumbnails' ? 0 : await unusedBytes(parts.db.read);
  const details = { freed_bytes, ...(later_bytes > 0 && { later_bytes }) };
  await parts.db.write((queries) => recordAudit(queries, origin, { action: 'system.cleaned_up', target: what, details }));
  return { freed_bytes, later_bytes };
}

const HANDLERS: Record<CleanUp, (parts: Parts) => Promise<number>> = {
  trash: emptyEveryTrash,
  unused: ({ blobs }) => blobs.sweep(),
  thumbnails: dropThumbnails,
};

async function emptyEveryTrash({ db, blobs }: Parts): Promise<number> {
  const until = Date.now();
  while ((await purgeTrashed(db, until)) > 0);
  return blobs.sweep();
}

/** Moves the folder aside in one step, so that thumbnails generated meanwhile aren't removed half-way. */
async function dropThumbnails({ config, staging }: Parts): Promise<number> {
  const { path: aside } = staging.reservePath();
  const moved = await ifMissing(
    rename(thumbnailsFolder(config), aside).then(() => true),
    false, // there never was a thumbnail
  );
  if (!moved) return 0;
  const bytes = await folderSize(aside);
  await rm(aside, { recursive: true, force: true });
  return bytes;
}
