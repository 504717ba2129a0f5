/** What a public album doesn't show to its visitors. */
export const hidden = {
  title_one: '{{count}} picture in this album is hidden from visitors',
  title_other: '{{count}} pictures in this album are hidden from visitors',
  private_one: '{{count}} is set to “Only you”',
  private_other: '{{count}} are set to “Only you”',
  password_protected_one: '{{count}} is password-protected',
  password_protected_other: '{{count}} are password-protected',
  view_limited_one: '{{count}} has a view limit',
  view_limited_other: '{{count}} have a view limit',
  expired_one: '{{count}} has expired and is in your trash',
  expired_other: '{{count}} have expired and are in your trash',
} as const;
