import { ApiError, NetworkError } from '#api/client.ts';
import type { Texts } from '#main/texts/en.ts';

type TextKey = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts];

/** An error the user can act on; its message is one of the texts. */
export class Reason extends Error {
  override name = 'Reason';
  readonly text: TextKey;

  constructor(text: TextKey, options?: ErrorOptions) {
    super(text, options);
    this.text = text;
  }
}

/** Returns the message that the user sees for an error. */
export function describe(error: unknown, texts: Texts): string {
  if (error instanceof Reason) return texts[error.text];
  if (error instanceof ApiError) return texts.refusals[error.code] ?? error.message;
  if (error instanceof NetworkError) return texts.serviceUnreachable;
  return error instanceof Error ? error.message : String(error);
}
