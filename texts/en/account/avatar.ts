export const avatar = {
  title: 'Avatar',
  hint: 'Only users of this site see it.',
} as const;
