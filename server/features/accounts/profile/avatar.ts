import { AVATAR_SIDES } from '#api/constants.ts';
import { storeAvatar } from '#server/core/accounts/avatars.ts';
import { isDeleted } from '#server/core/deletion/start.ts';
import { UnauthorizedError } from '#server/platform/base/errors.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { Decoding } from '#server/platform/imaging/decoding.ts';
import { makeEmblem } from '#server/platform/imaging/emblem.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';

const FORMATS = ['png', 'jpeg', 'webp'];
const VERSIONS = AVATAR_SIDES.map((side) => ({ side, to: 'webp' as const }));

/**
 * Makes an upload a user's avatar, and returns its version.
 * @throws ImageError or RequestError with the reason
 */
export async function changeAvatar(db: WritableDatabase, userId: number, file: StagedFile, decoding: Decoding): Promise<string> {
  const { versions } = await makeEmblem(file, FORMATS, { side: Math.max(...AVATAR_SIDES), fit: 'square', versions: VERSIONS }, decoding);
  return db.write(async (queries) => {
    // The account may have been deleted meanwhile.
    if (await isDeleted(queries, userId)) throw new UnauthorizedError();
    return storeAvatar(queries, userId, versions);
  });
}
