/** Most viewed pictures, and where views come from. */
export const views = {
  title: 'Views',
  intro: 'How often others opened your pictures in the last 30 days, and from which websites.',
  total_one: '{{formatted}} view in the last {{days}} days',
  total_other: '{{formatted}} views in the last {{days}} days',
  none: 'No views in the last {{days}} days. When others open your links, their views appear here.',
  pictures: 'Most viewed',
  sources: 'Referring websites',
  noSources: 'None yet',
  sourcesHint: 'Only website names are recorded. Views without a referrer, such as those from messages and apps, aren’t listed.',
  sourcesOff: 'An administrator has turned off counting referring websites.',
  otherHosts: 'Other websites',
  count_one: '{{formatted}} view',
  count_other: '{{formatted}} views',
  mostlyFrom: 'mostly from {{host}}',
} as const;

/** What a public album doesn't show to its visitors. */
export const hidden = {
  title_one: '{{count}} picture in this album is hidden from visitors',
  title_other: '{{count}} pictures in this album are hidden from visitors',
  marked: 'This symbol marks them below.',
  private_one: '{{count}} is set to “Only you”',
  private_other: '{{count}} are set to “Only you”',
  password_protected_one: '{{count}} is password-protected',
  password_protected_other: '{{count}} are password-protected',
  view_limited_one: '{{count}} has a view limit',
  view_limited_other: '{{count}} have a view limit',
  expired_one: '{{count}} has expired and is in your trash',
  expired_other: '{{count}} have expired and are in your trash',
} as const;

/** The text that was recognised in a picture. */
export const text = {
  title: 'Text in the picture',
  copyAll: 'Copy all text',
  remove: 'Remove text',
  removed: 'The text was removed. The picture itself hasn’t changed.',
  waiting: 'The text is yet to be recognised.',
  failed: 'The text couldn’t be recognised.',
  useAsAlt: 'Use the text in the picture',
} as const;

/** What becomes of a picture when it expires. */
export const expiry = {
  toTrash: 'This picture will move to your trash on {{date}}, and its links will stop working.',
  toNothing: 'This picture will be permanently deleted on {{date}}.',
  hintTrash: 'After that, links stop working, and expired pictures move to your trash.',
  hintNothing: 'After that, links stop working, and expired pictures are permanently deleted.',
  exact: 'Date and time…',
  moment: 'Date and time ({{zone}})',
  incomplete: 'Enter a date and a time.',
  past: 'This time has passed. Choose a later one.',
  late: 'Choose a time before {{date}}.',
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

/** Reviewing pictures that are stored twice. */
export const duplicates = {
  title: 'Duplicates',
  find: 'Find duplicates',
  intro:
    'Pictures that are stored twice or look alike. Choose which to keep; the others move to the trash. Of identical files, the one in use is suggested.',
  keys: 'Arrow keys move, Space keeps or drops a picture, Enter deletes the others, D keeps them all.',
  count_one: '{{formatted}} group',
  count_other: '{{formatted}} groups',
  waiting_one: '{{formatted}} picture hasn’t been compared yet. Come back in a few minutes.',
  waiting_other: '{{formatted}} pictures haven’t been compared yet. Come back in a few minutes.',
  exact_one: '{{count}} identical file',
  exact_other: '{{count}} identical files',
  alike_one: '{{count}} picture that looks alike',
  alike_other: '{{count}} pictures that look alike',
  keep: 'Keep {{name}}',
  kept: 'Keep',
  dropped: 'Delete',
  openOne: 'Open {{name}}',
  delete_one: 'Delete {{count}}, keep the rest',
  delete_other: 'Delete {{count}}, keep the rest',
  takesPlace_one: 'The kept picture takes its place in {{albums}}',
  takesPlace_other: 'The kept picture takes their place in {{albums}}',
  namedTakesPlace_one: '{{name}} takes its place in {{albums}}',
  namedTakesPlace_other: '{{name}} takes their place in {{albums}}',
  inAlbums: 'In {{albums}}',
  coverOf: 'Cover of {{albums}}',
  caption: 'With a caption',
  favourite: 'Favourite',
  views_one: '{{formatted}} view',
  views_other: '{{formatted}} views',
  expires: 'Expires {{date}}',
  password: 'With a password',
  markOthers: 'Mark all but the best',
  keepBoth: 'Keep both',
  keepAll: 'Keep all',
  different: 'They’re different',
  markedDifferent: 'These pictures are no longer listed as duplicates',
  nothing: 'No duplicates',
  nothingText: 'When a picture is stored twice or two pictures look alike, they appear here.',
} as const;

export const unsaved = {
  title: 'Discard changes?',
  text: 'Your changes haven’t been saved.',
  stay: 'Keep editing',
  discard: 'Discard changes',
} as const;

/** Which dates a search means, and what it can’t find yet. */
export const searching = {
  videos: 'Videos',
  byUpload: 'By date of upload.',
  byTaken: 'By date taken.',
  useTaken: 'Use dates taken',
  useUpload: 'Use dates of upload',
  unread_one: 'Text hasn’t been recognised in one picture yet. Until then, searches don’t find it by its text.',
  unread_other: 'Text hasn’t been recognised in {{formatted}} pictures yet. Until then, searches don’t find them by their text.',
} as const;

/** What happened to earlier versions of a picture. */
export const versions = {
  restored: 'Version restored',
  restoredText: 'The links now lead to it. The other version is in your trash.',
  undone: 'Replacement undone',
  undoneText: 'The links lead to the earlier version again. The other one is in your trash.',
  final: 'This can’t be undone: the picture was replaced again, or the earlier version was permanently deleted.',
  apart: 'Its picture no longer exists: restored as a separate one that only you can open',
  leftOut_one: '{{formatted}} previous version stays in the trash. Restore it on its own to put it back behind its picture’s links.',
  leftOut_other: '{{formatted}} previous versions stay in the trash. Restore each on its own to put it back behind its picture’s links.',
} as const;

export const details = {
  file: 'File name',
  size: 'Size',
  duration: 'Duration',
  dimensions: 'Dimensions',
  uploaded: 'Uploaded',
  taken: 'Taken',
  takenYears: 'Choose a year from {{from}} to {{to}}.',
  visibility: 'Who can see it',
  adminsToo: 'Administrators of this site can see it, too.',
  expires: 'Expires',
  views: 'Views',
  viewsOf: '{{views}} of {{max}} used',
  protected: 'Password-protected',
} as const;

/** Once links are shared, or only this computer can open them. */
export const opened = {
  shareNow: 'Share now',
  shareHint: 'Turns on sharing on your network and copies the link again.',
  shared: 'Link copied again',
  published_one: '{{who}} can open it now',
  published_other: '{{who}} can open these {{formatted}} pictures now',
} as const;

/** Describing a picture. */
export const picture = {
  description: 'Description',
  title: 'Title',
  titleHint: 'Shown instead of the file name.',
  caption: 'Caption',
  captionHint: 'Shown below the picture on its share page.',
  alt: 'Alternative text',
  altHint: 'Describes the picture to people who can’t see it. Markdown and HTML links use it.',
  address: 'Custom address',
  addressHint: 'A readable address for the links. The original link keeps working.',
  addressFree: 'This address is available.',
  addressProblem: {
    malformed: 'Use 2 to 63 letters (a to z), digits and hyphens, starting with a letter or digit.',
    like_key: 'Addresses of exactly 12 letters and digits are reserved. Make yours longer or shorter, or add a hyphen.',
    reserved: 'This address is reserved. Choose another one.',
    taken: 'Another picture uses this address, or did until recently. Choose a different one.',
  },
  compare: 'Compare with earlier versions',
  edit: 'Edit picture',
  more: 'More actions',
  replaceWith: 'Replace the picture…',
} as const;
