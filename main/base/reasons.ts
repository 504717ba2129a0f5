import { z } from 'zod';
import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import type { Texts } from '#main/texts/en.ts';

type TextKey = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts];

/** An error the user can act on; its message is one of the texts. */
export class Reason extends Error {
  override name = 'Reason';
  readonly text: TextKey;
  /** Follows the text: the cause in another program's words. */
  readonly detail: string | undefined;

  constructor(text: TextKey, options?: ErrorOptions & { detail?: string }) {
    super(text, options);
    this.text = text;
    this.detail = options?.detail;
  }
}

/** An error as the journal keeps it: enough to say it again in the user's language. */
export const failure = z.object({
  kind: z.enum(['text', 'refusal', 'other']),
  /** The name of the text, or the service's error code. */
  code: z.string(),
  /** In English. */
  message: z.string(),
});
export type Failure = z.infer<typeof failure>;

/** What the journal keeps of an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Reason) return { kind: 'text', code: error.text, message: error.message };
  if (error instanceof ApiError) return { kind: 'refusal', code: error.code, message: error.message };
  if (error instanceof NetworkError && error.status === 413)
    return { kind: 'refusal', code: 'body_too_large', message: 'The file is larger than a proxy in front of the server allows.' };
  if (error instanceof NetworkError) return { kind: 'text', code: 'serviceUnreachable', message: error.message };
  return { kind: 'other', code: '', message: error instanceof Error ? error.message : String(error) };
}

/** The sentence that the user sees. `isOwn`: the server is this computer, whose user can mend what others would ask its administrator for. */
export function describeFailure({ kind, code, message }: Failure, texts: Texts, isOwn = false): string {
  if (isOwn && kind === 'refusal' && code === 'storage_full') return texts.ownDiskFull;
  if (kind === 'refusal') return refusalText(code, message, texts);
  const text = kind === 'text' ? texts[code as keyof Texts] : undefined;
  return typeof text === 'string' ? text : message;
}

/** Codes of newer services may be unknown here. */
function refusalText(code: string, message: string, texts: Texts): string {
  const text = texts.refusals[code as ErrorCode];
  if (text === undefined) return message;
  // Only the message says which value is wrong: English is better than nothing.
  return code === 'invalid_request' ? withDetail(text, message) : text;
}

/** The same for an error that has just happened. */
export function describe(error: unknown, texts: Texts): string {
  const text = describeFailure(failureOf(error), texts);
  return error instanceof Reason ? withDetail(text, error.detail) : text;
}

/** Chinese punctuation already leaves a gap. */
function withDetail(text: string, detail: string | undefined): string {
  if (detail === undefined) return text;
  return /[。：]$/.test(text) ? text + detail : `${text} ${detail}`;
}
