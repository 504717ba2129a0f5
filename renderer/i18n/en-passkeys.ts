/** Passkeys, in the settings of the account. */
export const passkeys = {
  title: 'Passkeys',
  hint: 'Sign in with your fingerprint, face, screen lock or security key. A passkey replaces both the password and the code.',
  add: 'Add passkey',
  unavailable: 'Browsers allow passkeys only at an https address with a host name. To add one, open this site at such an address.',
  added: 'Added {{date}}',
  used: 'Last used {{date}}',
  name: 'Name',
  nameHint: 'So you can tell your passkeys apart, for example: Laptop',
  rename: 'Rename',
  renameOne: 'Rename {{name}}',
  renameTitle: 'Rename passkey',
  remove: 'Remove',
  removeOne: 'Remove {{name}}',
  removeTitle: 'Remove “{{name}}”?',
  removeText: 'You can no longer sign in with it. You can delete it on your device, too.',
  removed: 'Passkey removed',
} as const;
