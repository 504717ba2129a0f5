import type { ConflictProblem, FieldProblem } from '#api/errors.ts';

/** Why a value was refused that visitors, guests and people who sign in can enter. */
export const visitorProblems = {
  missing: 'This field is required.',
  too_short: 'Enter at least {{limit}} characters.',
  too_long: 'Enter at most {{limit}} characters.',
  too_small: 'Enter at least {{limit}}.',
  too_large: 'Enter at most {{limit}}.',
  too_many: 'Enter at most {{limit}} entries.',
  not_number: 'Enter a whole number.',
  not_email: 'Enter a valid email address.',
  weak_password: 'Too easy to guess. Use a few unrelated words, or let a password manager generate one.',
  bad_username:
    'Spaces, slashes, @ and invisible characters aren’t allowed, nor letters of several writing systems. Latin and Chinese, Japanese or Korean ones can be mixed.',
  username_taken: 'This username is already taken. Choose another one.',
  email_taken: 'Another account already uses this email address. Sign in to that account, or use a different address.',
  not_web_address: 'Enter a complete web address, starting with http:// or https://.',
  private_address: 'This address isn’t on the public internet. An administrator can allow it in the settings.',
  not_available: 'This choice is no longer available. Choose another one.',
  in_the_past: 'This time has passed. Choose a later one.',
  too_late: 'Choose a time within the next {{limit}} days.',
  no_policy: 'Your group has no storage policy. Ask an administrator to allow one.',
  took_too_long: 'The setup timed out. Start again with a new QR code.',
  passkey_unverified: 'The passkey couldn’t be verified. Try again.',
  already_set_up: 'Pixdock is already set up. Sign in instead.',
} as const satisfies Partial<Record<FieldProblem | ConflictProblem, string>>;
