import type { UserRow } from './users.ts';

/** Who is asking. */
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
  /** What a token may do; a session may do everything. */
  scope: 'full' | 'upload';
  /** The session's or token's id. */
  id: number;
  address: string;
}

/** The member with all rights of their account: a session or a full token. An upload token counts as a stranger everywhere but for uploads. */
export function fullMember(actor: Actor): Member | undefined {
  return actor.kind === 'member' && actor.scope === 'full' ? actor : undefined;
}
