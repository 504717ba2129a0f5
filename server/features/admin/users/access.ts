import { ForbiddenError } from '#server/platform/base/errors.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';

/**
 * Checks what an admin may change about an account. The owner always stays owner, admin and enabled, so that someone can
 * repair things; and admins can't lock themselves out.
 * @throws ForbiddenError
 */
export function requireMayChange(
  actor: UserRow,
  target: UserRow,
  changes: { role?: string | undefined; group_id?: number | undefined; disabled?: boolean | undefined; email?: string | null | undefined },
): void {
  if (target.is_owner === 1) {
    if (changes.disabled) throw new ForbiddenError('The owner can’t be disabled.');
    if (changes.role === 'user') throw new ForbiddenError('The owner is always an administrator.');
    if (changes.group_id !== undefined && changes.group_id !== target.group_id)
      throw new ForbiddenError('The owner’s group can’t be changed.');
    // With the owner's address, another admin could sign in as the owner through single sign-on.
    if (changes.email !== undefined && actor.id !== target.id) throw new ForbiddenError('Only the owner can change their email address.');
  }
  if (target.id === actor.id && changes.disabled) throw new ForbiddenError('You can’t disable your own account.');
}

/** @throws ForbiddenError for an admin's own account: deleting that requires its password */
export function requireMayDelete(actor: UserRow, target: UserRow): void {
  if (actor.id === target.id) throw new ForbiddenError('To delete your own account, open Settings → Account.');
}

/** @throws ForbiddenError when another admin would take over the owner's account */
export function requireMayResetPassword(actor: UserRow, target: UserRow): void {
  if (target.is_owner === 1 && actor.id !== target.id)
    throw new ForbiddenError(
      'Only the owner can change their password. It can also be reset with “pixdock reset-password” on the computer that runs Pixdock.',
    );
}

/** @throws ForbiddenError when another admin would sign the owner out */
export function requireMayEndAccess(actor: UserRow, target: UserRow): void {
  if (target.is_owner === 1 && actor.id !== target.id)
    throw new ForbiddenError('Only the owner can end the owner’s sessions or revoke their tokens.');
}

/** @throws ForbiddenError for the admin's own account, where turning it off requires the password, and for the owner's */
export function requireMayResetTwoFactor(actor: UserRow, target: UserRow): void {
  if (target.id === actor.id) throw new ForbiddenError('Turn off your own two-factor authentication under Settings → Account.');
  if (target.is_owner === 1)
    throw new ForbiddenError(
      'The owner’s two-factor authentication can only be reset with “pixdock reset-password --reset-two-factor” on the computer that runs Pixdock.',
    );
}
