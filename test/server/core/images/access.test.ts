import { describe, expect, it } from 'vitest';
import { decideAccess, type Viewer } from '#server/core/images/access.ts';

const NOW = 1_000_000;
const image = (changes: object = {}) => ({
  visibility: 'public' as const,
  deleted_at: null,
  trash_reason: null,
  expires_at: null,
  emptied_at: null,
  password_hash: null,
  max_views: 0,
  limited_views: 0,
  ...changes,
});
const STRANGER: Viewer = { isOwner: false, isAdmin: false, isMember: false, password: 'none' };
const OWNER: Viewer = { ...STRANGER, isOwner: true };
const ADMIN: Viewer = { ...STRANGER, isAdmin: true };
const UNLOCKED: Viewer = { ...STRANGER, password: 'right' };
const GUESSING: Viewer = { ...STRANGER, password: 'wrong' };

const outcome = (target: Parameters<typeof decideAccess>[0], viewer: Viewer) => {
  const access = decideAccess(target, viewer, NOW);
  return access.allowed ? 'yes' : access.code;
};

describe('the access decision', () => {
  const trashed = image({ deleted_at: 1 });
  const secret = image({ visibility: 'private', password_hash: 'x' });
  const expired = image({ expires_at: NOW });
  const emptied = image({ emptied_at: 1 });
  const away = image({ expires_at: 1, deleted_at: 2, trash_reason: 'expired' });
  const locked = image({ password_hash: 'x' });
  const usedUp = image({ max_views: 5, limited_views: 5 });
  const lockedAndUsedUp = image({ password_hash: 'x', max_views: 5, limited_views: 5 });

  it.each([
    ['unknown', undefined, STRANGER, 'not_found'],
    ['unknown, to an admin', undefined, ADMIN, 'not_found'],
    ['in the trash, to its owner', trashed, OWNER, 'not_found'],
    ['private, to a stranger', secret, STRANGER, 'not_found'],
    ['private, to a stranger with the password', secret, UNLOCKED, 'not_found'],
    ['private, to its owner', secret, OWNER, 'yes'],
    ['private, to an admin', secret, ADMIN, 'yes'],
    ['expired, to a stranger', expired, STRANGER, 'expired'],
    ['expired, to its owner', expired, OWNER, 'expired'],
    ['expired and emptied', emptied, OWNER, 'expired'],
    ['in the trash since it expired, to a stranger', away, STRANGER, 'expired'],
    ['in the trash since it expired, to its owner', away, OWNER, 'expired'],
    ['in the trash since it expired, after the clock was set back', { ...away, expires_at: NOW + 1 }, STRANGER, 'expired'],
    ['deleted before it expired', { ...trashed, expires_at: 1 }, STRANGER, 'not_found'],
    ['private and in the trash since it expired, to a stranger', { ...away, visibility: 'private' }, STRANGER, 'not_found'],
    ['private and expired, to a stranger', image({ visibility: 'private', expires_at: 1 }), STRANGER, 'not_found'],
    ['not yet expired', image({ expires_at: NOW + 1 }), STRANGER, 'yes'],
    ['locked, to a stranger', locked, STRANGER, 'password_required'],
    ['locked, to a stranger with a wrong password', locked, GUESSING, 'wrong_password'],
    ['locked, to a stranger with the password', locked, UNLOCKED, 'yes'],
    ['locked, to its owner', locked, OWNER, 'yes'],
    ['locked, to an admin', locked, ADMIN, 'yes'],
    ['used up, to a stranger', usedUp, STRANGER, 'view_limit_reached'],
    ['used up, to its owner', usedUp, OWNER, 'yes'],
    ["used up, to an admin who isn't the owner", usedUp, ADMIN, 'view_limit_reached'],
    ['locked and used up, to a stranger', lockedAndUsedUp, STRANGER, 'password_required'],
    ['locked and used up, with the password', lockedAndUsedUp, UNLOCKED, 'view_limit_reached'],
    ['public', image(), STRANGER, 'yes'],
  ] as const)('%s', (_name, target, viewer, expected) => {
    expect(outcome(target, viewer)).toBe(expected);
  });

  it('tells the owner from others', () => {
    expect(decideAccess(image(), STRANGER, NOW)).toEqual({ allowed: true, isOwner: false });
    expect(decideAccess(image(), ADMIN, NOW)).toEqual({ allowed: true, isOwner: false });
    expect(decideAccess(image(), OWNER, NOW)).toEqual({ allowed: true, isOwner: true });
  });
});
