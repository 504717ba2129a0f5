import { ApiError, NetworkError } from '#api/client.ts';
import type { Texts } from './texts/en.ts';

type TextKey = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts];

/** An error that a person can do something about; its sentence is one of the texts. */
export class Reason extends Error {
  override name = 'Reason';
  readonly text: TextKey;

  constructor(text: TextKey, options?: ErrorOptions) {
    super(text, options);
    this.text = text;
  }
}

/** What kept one of several pictures from being uploaded. */
export class FileFailure extends Error {
  override name = 'FileFailure';
  readonly file: string;

  constructor(file: string, cause: Error) {
    super(`${file}: ${cause.message}`, { cause });
    this.file = file;
  }
}

/** The sentence that a person is told about an error. */
export function describe(error: unknown, texts: Texts): string {
  if (error instanceof FileFailure) return `${error.file}: ${describe(error.cause, texts)}`;
  if (error instanceof Reason) return texts[error.text];
  if (error instanceof ApiError) return texts.refusals[error.code] ?? error.message;
  if (error instanceof NetworkError) return texts.serviceUnreachable;
  return error instanceof Error ? error.message : String(error);
}
