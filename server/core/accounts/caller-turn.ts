import type { Response } from 'express';
import { networkOf } from '#server/platform/base/network-of.ts';
import { leaving } from '#server/platform/http/limits/leaving.ts';
import type { Actor } from './actor.ts';

/** Whom limits count as one caller: a user, or a network without an account. */
export function callerName(actor: Actor): string {
  return actor.kind === 'member' ? `user ${actor.user.id}` : `guest ${networkOf(actor.address)}`;
}

/** A caller's place in queues, which it loses when it disconnects. */
export function callerTurn(actor: Actor, response: Response): { who: string; signal: AbortSignal } {
  return { who: callerName(actor), signal: leaving(response) };
}
