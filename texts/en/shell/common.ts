export const common = {
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  delete: 'Delete',
  retry: 'Try again',
  loading: 'Loading…',
  optional: '{{label}} (optional)',
  typeName: 'To confirm, enter “{{name}}”',
  typeNameWrong: 'The name doesn’t match.',
} as const;

/** Who can open a link, wherever one is shown. */
export const opens = {
  private: 'Only you',
  computer: 'Only this computer',
  network: 'Anyone on your network',
  internet: 'Anyone with the link',
  sentence: '{{who}} can open it',
  sentences: '{{who}} can open them',
} as const;

export const publicPages = {
  toPictures: 'Your pictures',
  signIn: 'Sign in',
} as const;

export const links = {
  share: 'Share…',
  shared: 'Link shared',
  qr: 'QR code',
  qrOf: 'QR code for {{url}}',
  title: 'Links',
  url: 'URL',
  markdown: 'Markdown',
  markdown_linked: 'Markdown with link',
  html: 'HTML',
  html_responsive: 'Responsive HTML',
  bbcode: 'BBCode',
  thumbnail: 'Thumbnail',
  share_page: 'Share page',
  copy: 'Copy',
  copyAs: 'Copy {{format}}',
  copied: 'Copied',
  copiedLinks_one: 'Link copied',
  copiedLinks_other: '{{count}} links copied',
  privateHint: 'Only you can see this picture. The link won’t open for others.',
  somePrivateHint_one: '{{count}} of these pictures is visible only to you. Its link won’t open for others.',
  somePrivateHint_other: '{{count}} of these pictures are visible only to you. Their links won’t open for others.',
  byHandTitle: 'Copy manually',
  byHandText: 'Your browser blocked access to the clipboard. The text is selected: press {{keys}}.',
  byHandLabel: 'Text to copy',
} as const;

export const app = {
  tagline: 'Your pictures, one link away.',
  notFound: 'Page not found',
  notFoundHint: 'The page may have moved, or the address may be mistyped.',
  toPictures: 'Go to your pictures',
  skip: 'Skip to content',
} as const;
