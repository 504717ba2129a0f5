import { access, signOn } from './en-access.ts';
import { connect, profile, sessions, uploads } from './en-account.ts';
import { address } from './en-address.ts';
import { app, auth, common, links, password, viewer } from './en-basics.ts';
import { batch } from './en-batch.ts';
import { ownDeletion } from './en-deletion.ts';
import { computer } from './en-desktop.ts';
import { capture } from './en-desktop-capture.ts';
import { folders } from './en-desktop-folders.ts';
import { network } from './en-desktop-network.ts';
import { desktopUploads } from './en-desktop-uploads.ts';
import { errors } from './en-errors.ts';
import { badges, expiry, hidden } from './en-expiry.ts';
import { albums, library, trash } from './en-library.ts';
import { passkeys } from './en-passkeys.ts';
import { picture } from './en-picture.ts';
import { publicPages } from './en-public.ts';
import { selection, shortcuts } from './en-selection.ts';
import { twoFactor } from './en-two-factor.ts';
import { upload } from './en-upload.ts';
import { views } from './en-views.ts';

/** Every text of the web application, in English. `zh.ts` must have the same keys: a missing one doesn't compile. */
export const en = {
  app,
  common,
  password,
  unsaved: {
    title: 'Discard changes?',
    text: 'Your changes haven’t been saved.',
    stay: 'Keep editing',
    discard: 'Discard changes',
  },
  nav: {
    label: 'Main navigation',
    pictures: 'Pictures',
    albums: 'Albums',
    trash: 'Trash',
    uploads: 'Uploads',
    folders: 'Folders',
    settings: 'Settings',
    admin: 'Administration',
    upload: 'Upload',
    signOut: 'Sign out',
    account: 'Account',
    storage: 'Storage',
    usedOf: '{{used}} of {{quota}} used',
    used: '{{used}} used',
  },
  connection: {
    lost: 'Can’t reach Pixdock.',
    trying: 'Reconnecting…',
    retry: 'Retry now',
  },
  auth,
  access,
  signOn,
  gallery: {
    count_one: '{{formatted}} picture',
    count_other: '{{formatted}} pictures',
    today: 'Today',
    yesterday: 'Yesterday',
    view: 'View',
    order: 'Sort by',
    density: 'Thumbnail size',
    densitySmall: 'Small',
    densityMedium: 'Medium',
    densityLarge: 'Large',
    open: 'Open {{name}}, {{date}}',
    select: 'Select {{name}}',
    selectDay: 'Select all: {{day}}',
    clear: 'Clear selection',
    copyLinks: 'Copy links',
    private: 'Only you',
    end: 'You’ve reached the end.',
    endOfLibrary: 'End of your library',
    timeline: 'Pictures by day',
    scrubber: 'Month shown',
    keys: 'Use the arrow keys to move, Enter to open, Space to select, Shift and arrow keys to select a range, Delete to delete.',
    emptyTitle: 'Upload your first picture',
    emptyText: 'Drop pictures anywhere in this window, paste a screenshot, or choose files. Each one gets a link you can share right away.',
    emptyTextTouch: 'Choose pictures or take photos. Each one gets a link you can share right away.',
    emptyChoose: 'Choose pictures',
    emptyPaste: 'or press {{keys}} to paste',
  },
  viewer,
  details: {
    file: 'File',
    size: 'Size',
    dimensions: 'Dimensions',
    uploaded: 'Uploaded',
    taken: 'Taken',
    visibility: 'Who can see it',
    public: 'Anyone with the link',
    private: 'Only you',
    adminsToo: 'Administrators of this site can see it, too.',
    expires: 'Expires',
    views: 'Views',
    viewsOf: '{{views}} of {{max}} used',
    protected: 'Password-protected',
  },
  links,
  upload,
  settings: {
    title: 'Settings',
    sections: 'Settings sections',
    appearance: 'Appearance',
    tokens: 'API tokens',
    account: 'Account',
  },
  preferences: {
    colours: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    language: 'Language',
    languageAuto: 'Browser default',
    linkFormat: 'Link format',
    linkFormatHint: 'Used when you copy links and when uploads finish.',
    copyAfterUpload: 'Copy links after uploading',
    copyAfterUploadHint: 'If the browser doesn’t allow it, a “Copy” button appears instead.',
    example: 'Example',
    stored: 'These settings are saved in this browser.',
  },
  account: {
    username: 'Username',
    email: 'Email',
    noEmail: 'None',
    role: 'Role',
    owner: 'Owner',
    admin: 'Administrator',
    user: 'Member',
    since: 'Member since',
  },
  tokens: {
    intro:
      'A token lets a program upload on your behalf without your password. Create one for each program, so you can revoke them separately.',
    connect: 'Connect a device',
    create: 'Create token',
    name: 'Name',
    namePlaceholder: 'For example: PicGo on my laptop',
    nameMissing: 'Enter a name so you can tell your tokens apart later.',
    scope: 'Access',
    scopeUpload: 'Upload only',
    scopeUploadHint: 'Enough for PicGo, ShareX and upload scripts. It can’t see or delete anything.',
    scopeFull: 'Full access',
    scopeFullHint: 'Everything you can do with your pictures, including listing, changing and deleting them.',
    scopeMetrics: 'Metrics only',
    scopeMetricsHint: 'For Prometheus. It can read /metrics and nothing else.',
    expiry: 'Expiry',
    days30: '30 days',
    days90: '90 days',
    year: '1 year',
    never: 'Never',
    empty: 'No tokens yet',
    emptyText: 'Create one for each program that uploads for you.',
    created: 'Created {{date}}',
    lastUsed: 'Last used {{date}}',
    neverUsed: 'Never used',
    expires: 'Valid until {{date}}',
    expired: 'Expired {{date}}',
    noExpiry: 'Valid until revoked',
    revoke: 'Revoke',
    revokeOne: 'Revoke {{name}}',
    revokeTitle: 'Revoke “{{name}}”?',
    revokeText: 'Programs that use it lose access immediately. This can’t be undone.',
    revoked: 'Token revoked',
    list: 'Your tokens',
    more: 'Show more',
    secretTitle: 'Copy your new token now',
    secretText: 'It’s shown only once. Pixdock stores just a fingerprint of it.',
    secretLabel: 'Token',
    snippets: 'Ready to paste',
    snippetPixdock: 'pixdock',
    snippetCurl: 'curl',
    snippetPicgo: 'PicGo',
    snippetSharex: 'ShareX',
    snippetHintPixdock: 'Saves the token for the pixdock command. Then run: pixdock upload photo.jpg',
    snippetHintCurl: 'Uploads photo.jpg and prints the response.',
    snippetHintPicgo: 'For the web-uploader plug-in. Paste it into PicGo’s configuration file.',
    snippetHintSharex: 'Save as pixdock.sxcu and open it with ShareX.',
    saveFile: 'Save as {{file}}',
    stored: 'I’ve saved the token',
  },
  ...publicPages,
  address,
  library,
  picture,
  selection,
  shortcuts,
  albums,
  trash,
  badges,
  hidden,
  expiry,
  computer,
  connect,
  capture,
  batch,
  desktopUploads,
  network,
  folders,
  profile,
  twoFactor,
  accountDeletion: ownDeletion,
  passkeys,
  uploads,
  sessions,
  errors,
  views,
} as const;

type Localised<T> = {
  // Languages without a singular form, such as Chinese, omit those keys.
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Localised<T[K]>;
};

/** The texts a translation must provide. */
export type Translation = Localised<typeof en>;
