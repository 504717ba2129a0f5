/** Where the page's address isn't the one that links start with. */
export const address = {
  label: 'Different address',
  differs: 'Links start with {{links}}.',
  local: 'Only the computer that runs Pixdock can open them. This page is open at {{page}}.',
  other: 'This page is open at {{page}}. Check which of these two addresses other people can reach.',
  fixed: 'PIXDOCK_BASE_URL sets the link address. Change it there.',
  use: 'Use this address',
  keep: 'Keep current address',
  useTitle: 'Start links with {{page}}?',
  useText:
    'Every link copied from now on starts with {{page}}. Links that you have already shared keep working as long as {{links}} leads to this server: Pixdock still accepts that address.',
  copiedLocal:
    'The link starts with {{links}}, which only the computer that runs Pixdock can open. Ask an administrator to change the link address.',
  copiedOther: 'The link starts with {{links}}, not with the address that you have open. Others may not be able to reach it.',
  quiet: 'Don’t show again',
};
