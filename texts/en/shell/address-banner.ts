/** Texts of the banner above the pages, and of its dialog. */
export const addressBanner = {
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
} as const;
