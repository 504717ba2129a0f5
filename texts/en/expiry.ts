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
