export const publicPages = {
  toPictures: 'Your pictures',
  signIn: 'Sign in',
} as const;
