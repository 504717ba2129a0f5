/** Converts an instant from the database's form (milliseconds since 1970) to the API's (RFC 3339, UTC). */
export function toInstant(milliseconds: number): string;
export function toInstant(milliseconds: number | null): string | null;
export function toInstant(milliseconds: number | null) {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
