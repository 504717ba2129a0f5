/** An instant as the API shows it (RFC 3339, UTC) from how the database keeps it (milliseconds since 1970). */
export function toInstant(milliseconds: number): string;
export function toInstant(milliseconds: number | null): string | null;
export function toInstant(milliseconds: number | null) {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
