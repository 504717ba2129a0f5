import { parseEnvelope } from '#api/client.ts';
import type { Uploaded } from '#api/upload.ts';
import { asOwner, type OwnerSession } from '#main/service/owner-session.ts';
import { sendFile } from '#transfer/send-file.ts';
import { fileToSend, readingFailure, type Source } from './sources.ts';

/** Seconds without progress: the service may process many pictures before this one. */
const IDLE_LIMIT = 300;

/**
 * Sends one picture to the service over HTTP, as the owner.
 * Throws the client's errors, or a {@link Reason} for a file that can't be read.
 */
export async function sendImage(source: Source, owner: OwnerSession): Promise<Uploaded> {
  try {
    const file = await fileToSend(source);
    return await asOwner(owner, async ({ url, cookie }) => {
      const response = await sendFile({ baseUrl: url, headers: { cookie } }, file, source.fields ?? {}, { timeout: IDLE_LIMIT });
      return parseEnvelope(response.status, response.text, response.headers['retry-after']) as Uploaded;
    });
  } catch (error) {
    throw readingFailure(error);
  }
}
