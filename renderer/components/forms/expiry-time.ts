/** Whether an expiry is over. */
export const isPast = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** When what was asked for begins to be over; undefined: never. */
export function momentOf(
  { expires_in, expires_at }: { expires_in?: number | undefined; expires_at?: string | undefined },
  now = Date.now(),
): Date | undefined {
  if (expires_at !== undefined) return new Date(expires_at);
  return expires_in ? new Date(now + expires_in * 1000) : undefined;
}
