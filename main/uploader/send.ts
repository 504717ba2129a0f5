import { createClient, NetworkError } from '#api/client.ts';
import { type Uploaded, upload } from '#api/upload.ts';
import { asOwner, type OwnerAccess, type OwnerSession } from '../owner-session.ts';
import { Reason } from '../reasons.ts';
import { openSource, type Source } from './sources.ts';

/**
 * Sends one picture to the service over HTTP, as the owner.
 * Throws what the client throws, or a {@link Reason} for a file that cannot be read.
 */
export async function sendPicture(source: Source, owner: OwnerSession): Promise<Uploaded> {
  const blob = await openSource(source);
  try {
    return await asOwner(owner, (access) => post(source, blob, access));
  } catch (error) {
    if (error instanceof NetworkError && hasChanged(error)) throw new Reason('fileChanged', { cause: error });
    throw error;
  }
}

function post({ name, fields = {} }: Source, blob: Blob, { url, cookie }: OwnerAccess) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.append(field, value);
  form.append('file', blob, name);
  return createClient({ baseUrl: url }).send(upload, form, { headers: { cookie } });
}

/** A blob of a file refuses to be read when the file is no longer what it was when it was opened. */
function hasChanged(error: Error): boolean {
  if (error.name === 'NotReadableError') return true;
  return error.cause instanceof Error && hasChanged(error.cause);
}
