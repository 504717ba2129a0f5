import type { Token } from '#api/tokens.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { TokenRow } from '#server/platform/db/schema/accounts.ts';

export function presentToken({ id, name, scope, created_at, last_used_at, expires_at }: TokenRow): Token {
  return { id, name, scope, created_at: toInstant(created_at), last_used_at: toInstant(last_used_at), expires_at: toInstant(expires_at) };
}
