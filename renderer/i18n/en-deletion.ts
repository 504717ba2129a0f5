/** Deleting the user's own account. */
export const ownDeletion = {
  title: 'Delete account',
  hint: 'Links to your pictures stop working. The pictures are deleted permanently after {{days}} days.',
  question: 'Delete your account?',
  text: 'You’ll be signed out everywhere, and tokens and connected devices stop working immediately. Your pictures and albums can no longer be opened. The pictures are deleted permanently after {{days}} days; until then, an administrator can recover them.',
  export: 'To keep your pictures, download your data first.',
  recent: 'Your account has no password, so you must have signed in within the last {{minutes}} minutes.',
  signInAgain: 'Sign in again',
  done: 'Your account has been deleted',
} as const;

/** Deleting a user, on the administration pages. */
export const userDeletion = {
  delete: 'Delete user',
  title: 'Delete {{name}}?',
  submit: 'Delete user',
  text: 'The user is signed out everywhere and can’t sign in again; tokens and connected devices stop working immediately. The username and email address can be used for a new account. This can’t be undone.',
  images: 'Pictures and albums',
  trash: 'Move to the trash',
  trashHint:
    'Links stop working, and the pictures are deleted permanently after {{days}} days. Until then, you can move them to another user.',
  move: 'Move to another user',
  moveHint: 'Albums and links stay the same. Only deletion links stop working.',
  started: '{{name}} can no longer sign in',
  badge: 'Deleted',
  moving: 'Moving pictures to {{name}}: {{done}} of {{all}}',
  trashing: 'Moving pictures to the trash: {{done}} of {{all}}',
  inTrash_one: '{{formatted}} picture in the trash until {{date}}. To keep it, move it to another user.',
  inTrash_other: '{{formatted}} pictures in the trash until {{date}}. To keep them, move them to another user.',
} as const;
