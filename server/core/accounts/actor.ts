import type { Request } from 'express';
import type { TokenScope } from '#api/auth/tokens.ts';
import type { AuditOrigin } from '#server/core/journal/audit.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/** The caller of a request. */
export type Actor = Guest | Member;

export interface Guest {
  kind: 'guest';
  /** The caller's IP address. */
  address: string;
}

export interface Member {
  kind: 'member';
  user: UserRow;
  via: 'session' | 'token';
  /** The scope of a token; sessions have full access. */
  scope: TokenScope;
  /** The session's or token's id. */
  id: number;
  address: string;
}

/** The member with all rights of their account: a session or a full token. Any other token is treated as a guest, except where its scope is sufficient. */
export function fullMember(actor: Actor): Member | undefined {
  return actor.kind === 'member' && actor.scope === 'full' ? actor : undefined;
}

/** The caller, for the audit log. */
export function auditOrigin({ actor, request }: { actor: Actor; request: Request }): AuditOrigin {
  const user = actor.kind === 'member' ? actor.user : undefined;
  return {
    actorId: user?.id ?? null,
    actorName: user?.username ?? '',
    address: actor.address,
    userAgent: request.headers['user-agent'] ?? '',
  };
}
