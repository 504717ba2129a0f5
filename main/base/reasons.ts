import { ApiError, NetworkError } from '#api/client.ts';
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

/** Returns the message that the user sees for an error. */
export function describe(error: unknown, texts: Texts): string {
  if (error instanceof Reason) return withDetail(texts[error.text], error.detail);
  if (error instanceof ApiError) return texts.refusals[error.code] ?? error.message;
  if (error instanceof NetworkError) return texts.serviceUnreachable;
  return error instanceof Error ? error.message : String(error);
}

/** Chinese punctuation already leaves a gap. */
function withDetail(text: string, detail: string | undefined): string {
  if (detail === undefined) return text;
  return text.endsWith('。') ? text + detail : `${text} ${detail}`;
}
