/** What restricts a picture: shown on its tile. */
export const badges = {
  join: ', ',
  private: 'Only you',
  protected: 'Password-protected',
  expires: 'Expires {{date}}',
  expired: 'Expired',
  viewsLeft_one: '{{count}} view left',
  viewsLeft_other: '{{count}} views left',
  hidden: 'Visitors to the album don’t see it',
} as const;

/** What a public album doesn't show to its visitors. */
export const hidden = {
  title_one: 'Visitors don’t see {{count}} picture in this album',
  title_other: 'Visitors don’t see {{count}} pictures in this album',
  private_one: '{{count}} is set to “Only you”',
  private_other: '{{count}} are set to “Only you”',
  password_protected_one: '{{count}} is password-protected',
  password_protected_other: '{{count}} are password-protected',
  view_limited_one: '{{count}} has a view limit',
  view_limited_other: '{{count}} have a view limit',
  expired_one: '{{count}} has expired and is in your trash',
  expired_other: '{{count}} have expired and are in your trash',
} as const;

/** What becomes of a picture when it expires. */
export const expiry = {
  toTrash: 'This picture will move to your trash on {{date}}. Its links stop working then.',
  toNothing: 'This picture will be permanently deleted on {{date}}.',
  hintTrash: 'When the time is up, the links stop working and the picture moves to your trash.',
  hintNothing: 'When the time is up, the links stop working and the picture is permanently deleted.',
  set: 'Set expiry',
  saved: 'Expiry set',
  removed: 'Expiry removed',
  removedText: 'The links no longer expire.',
  preference: 'Expired pictures',
  preferenceHint: 'When a picture expires, its links stop working.',
  keep: 'Move to trash',
  delete: 'Delete permanently',
  byGroup: 'An administrator has set expired pictures to be permanently deleted.',
} as const;
