/** Asking before pictures leave their albums. */
export const moving = {
  moveTitle_one: 'Move this picture to {{album}}?',
  moveTitle_other: 'Move {{formatted}} pictures to {{album}}?',
  unfileTitle_one: 'Remove this picture from its albums?',
  unfileTitle_other: 'Remove {{formatted}} pictures from all their albums?',
  move: 'Move',
  unfile: 'Remove',
  leaving: 'Pictures leave these albums:',
  leaves_one: '{{name}}: {{formatted}} picture',
  leaves_other: '{{name}}: {{formatted}} pictures',
  leavesPublic_one: '{{name}} (public): {{formatted}} picture',
  leavesPublic_other: '{{name}} (public): {{formatted}} pictures',
  leavesMore_one: '{{formatted}} more album',
  leavesMore_other: '{{formatted}} more albums',
  leavingPublic: 'Visitors of a public album won’t see them there any more.',
} as const;
