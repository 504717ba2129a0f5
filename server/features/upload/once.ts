import { RequestError } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import type { Caller, Database } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { findKeyedUpload, type KeyedUpload } from './keys.ts';
import type { UploadResult } from './uploader.ts';

/**
 * Returns the result of an earlier upload with the same key, even one that is still running; without one, uploads.
 * @param caller is checked first: an earlier result isn't for those whose rights have ended while the request arrived
 */
export type Once = (caller: Caller, keyed: KeyedUpload | undefined, upload: () => Promise<UploadResult>) => Promise<UploadResult>;

export function createOnce(db: Database): Once {
  const running = createKeyedLock();
  return async (caller, keyed, upload) => {
    await caller.confirm(db.read);
    if (!keyed) return upload();
    const earlier = () => findKeyedUpload(db.read, keyed);
    return running(JSON.stringify(keyed.owner), async () => (await earlier()) ?? upload().catch(afterAnother(earlier)));
  };
}

/** The result of an upload with the same key that another service has completed meanwhile, instead of the fault that it caused. */
function afterAnother(earlier: () => Promise<UploadResult | undefined>) {
  return async (error: unknown): Promise<UploadResult> => {
    // The last place of a request link may have been taken by the same upload.
    const isTaken = databaseFault(error) === 'unique' || (error instanceof RequestError && error.code === 'request_closed');
    const result = isTaken ? await earlier() : undefined;
    if (!result) throw error;
    return result;
  };
}
