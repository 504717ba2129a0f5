/** Deleting a user, on the administration pages. */
export const deletion = {
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
