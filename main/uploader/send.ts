import { parseEnvelope } from '#api/client.ts';
import type { Uploaded } from '#api/upload.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import { sendFile } from '#transfer/send-file.ts';
import { fileToSend, readingFailure, type Source } from './sources.ts';

/** Seconds without progress: the service may process many pictures before this one. */
const IDLE_LIMIT = 300;

/**
 * Sends one picture to the service over HTTP, with an account.
 * Throws the client's errors, or a {@link Reason} for a file that can't be read.
 */
export async function sendImage(source: Source, account: Account): Promise<Uploaded> {
  try {
    const file = await fileToSend(source);
    return await asAccount(account, async ({ url, headers }) => {
      const response = await sendFile({ baseUrl: url, headers }, file, source.fields ?? {}, { timeout: IDLE_LIMIT });
      return parseEnvelope(response.status, response.text, response.headers['retry-after']) as Uploaded;
    });
  } catch (error) {
    throw readingFailure(error);
  }
}
