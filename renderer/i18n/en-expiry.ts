/** What restricts a picture: shown on its tile. */
export const badges = {
  join: ', ',
  private: 'Only you',
  protected: 'Password-protected',
  expires: 'Expires {{date}}',
  expired: 'Expired',
  viewsLeft_one: '{{count}} view left',
  viewsLeft_other: '{{count}} views left',
  left: '{{formatted}} left',
  hidden: 'Hidden from visitors to the album',
} as const;

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

/** What becomes of a picture when it expires. */
export const expiry = {
  toTrash: 'This picture will move to your trash on {{date}}, and its links will stop working.',
  toNothing: 'This picture will be permanently deleted on {{date}}.',
  hintTrash: 'When the picture expires, its links stop working and it moves to your trash.',
  hintNothing: 'When the picture expires, its links stop working and it’s permanently deleted.',
  set: 'Set expiry',
  saved: 'Expiry set',
  removed: 'Expiry removed',
  removedText: 'The links no longer expire.',
  preference: 'Expired pictures',
  preferenceHint: 'When a picture expires, its links stop working.',
  keep: 'Move to trash',
  delete: 'Delete permanently',
  byGroup: 'An administrator has chosen to delete expired pictures permanently.',
} as const;
