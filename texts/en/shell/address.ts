/** Where the page's address isn't the one that links start with. */
export const address = {
  label: 'Different address',
  differs: 'Your links use {{links}}.',
  local: 'Only the computer that runs Pixdock can open them. You opened this page at {{page}}.',
  other: 'You opened this page at {{page}}. Choose the address that other people can reach.',
  fixed: 'PIXDOCK_BASE_URL sets the link address. Change it there.',
  use: 'Use this address',
  keep: 'Keep current address',
  useTitle: 'Start links with {{page}}?',
  useText:
    'Links you copy from now on will start with {{page}}. Links you’ve already shared will keep working as long as {{links}} points to this server.',
  copiedLocal:
    'The link starts with {{links}}, which only the computer that runs Pixdock can open. Ask an administrator to change the link address.',
  copiedOther: 'The link starts with {{links}}, not with the address you’re using. Others may not be able to reach it.',
  quiet: 'Don’t show again',
} as const;
