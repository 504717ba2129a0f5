/** Passkeys, in the settings of the account. */
export const passkeys = {
  title: 'Passkeys',
  hint: 'Sign in with your fingerprint, face, screen lock or security key. A passkey replaces both the password and the code.',
  add: 'Add passkey',
  unavailable: 'To add one, open this site at an https address with a host name, or at localhost. Browsers don’t allow passkeys elsewhere.',
  added: 'Added {{date}}',
  used: 'Last used {{date}}',
  name: 'Name',
  nameHint: 'Helps you tell your passkeys apart. For example: Laptop',
  rename: 'Rename',
  renameOne: 'Rename {{name}}',
  renameTitle: 'Rename passkey',
  remove: 'Remove',
  removeOne: 'Remove {{name}}',
  removeTitle: 'Remove “{{name}}”?',
  removeText: 'You’ll no longer be able to sign in with it. You can also delete it on your device.',
  removed: 'Passkey removed',
} as const;
