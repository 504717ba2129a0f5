export const connection = {
  lost: 'Can’t reach Pixdock.',
  trying: 'Reconnecting…',
  retry: 'Retry now',
} as const;
