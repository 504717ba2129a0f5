/** What restricts a picture: shown on its tile. */
export const badges = {
  join: ', ',
  animated: 'Animated',
  inText: 'text in the picture: {{text}}',
  private: 'Only you',
  protected: 'Password-protected',
  expires: 'Expires {{date}}',
  expired: 'Expired',
  viewsLeft_one: '{{count}} view left',
  viewsLeft_other: '{{count}} views left',
  left: '{{formatted}} left',
  hidden: 'Hidden from visitors to the album',
} as const;
