/** Deleting the user's own account. */
export const accountDeletion = {
  title: 'Delete account',
  hint: 'Links to your pictures stop working. The pictures are deleted permanently after {{days}} days.',
  question: 'Delete your account?',
  text: 'You’ll be signed out everywhere, and tokens and connected devices will stop working immediately. Your pictures and albums can no longer be opened. The pictures are deleted permanently after {{days}} days; until then, an administrator can recover them.',
  export: 'To keep your pictures, download your data first.',
  done: 'Your account has been deleted',
} as const;
