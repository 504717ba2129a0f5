/** Where the page's address isn't the one that links start with. */
export const address = {
  copiedLocal:
    'The link starts with {{links}}, which only the computer that runs Pixdock can open. Ask an administrator to change the link address.',
  copiedOther: 'The link starts with {{links}}, not with the address you’re using. Others may not be able to reach it.',
  quiet: 'Don’t show again',
} as const;
