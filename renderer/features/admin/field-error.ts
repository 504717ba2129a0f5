import { ApiError } from '#api/client.ts';

/** The service's sentence for one field of a form, where its refusal is about that field. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const named = error.details.field;
  return named === field || named?.startsWith(`${field}.`) ? error.message : undefined;
}
