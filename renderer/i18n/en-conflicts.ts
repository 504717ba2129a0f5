import type { ConflictProblem } from '#api/errors.ts';

/** Why an action isn't possible as things are. */
export const conflicts = {
  policy_moving: 'Pictures from one of these policies are already being moved. Wait until that’s complete.',
  policies_changed: 'The storage policies have just been changed. Try again.',
  policy_in_use: 'These groups use this policy: {{subject}}. Remove it from them first.',
  policy_not_empty: 'This policy still stores pictures, possibly in the trash. Delete them permanently first.',
  group_built_in: 'This group is built in and can’t be deleted.',
  group_not_empty: 'This group has members. Move them to another group first.',
  last_sign_in: 'This is the only way to sign in to your account. Set a password first.',
  owner_without_password: 'The owner’s account has no password yet. Set one under Settings → Account first.',
  other_address: 'Open Pixdock at {{subject}} and sign in there: the provider redirects only to that address.',
  backup_running: 'A backup is already running. Wait until it’s complete.',
  backup_being_checked: 'Another backup is being checked. Wait until that’s done.',
  no_restore_here: 'Backups can’t be restored into this server’s database. The guide “Several machines” explains how to restore one.',
  already_set_up: 'Pixdock is already set up. Sign in instead.',
  passkeys_need_https: 'Passkeys work only at an https address with a host name, or at localhost.',
  passkey_known: 'This passkey has already been added.',
  too_many_passkeys: 'An account can have at most {{limit}} passkeys. Remove one first.',
  no_password: 'Your account has no password, so there’s nothing to protect with a code. Set a password first.',
  two_factor_off: 'Two-factor authentication is off.',
  account_deleting: 'This account is being deleted.',
  heir_of_deletion: 'The pictures of another account are being moved to {{subject}}. Try again when that’s complete.',
} as const satisfies Record<ConflictProblem, string>;
