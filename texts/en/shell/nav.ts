export const nav = {
  label: 'Main navigation',
  pictures: 'Pictures',
  albums: 'Albums',
  duplicates: 'Duplicates',
  sent: 'Sent and received',
  trash: 'Trash',
  uploads: 'Uploads',
  folders: 'Watch folders',
  settings: 'Settings',
  admin: 'Administration',
  upload: 'Upload',
  signOut: 'Sign out',
  account: 'Account',
  storage: 'Storage',
  usedOf: '{{used}} of {{quota}} used',
  used: '{{used}} used',
  shortcuts: 'Keyboard shortcuts',
} as const;

export const connection = {
  lost: 'Can’t reach Pixdock.',
  trying: 'Reconnecting…',
  retry: 'Retry now',
} as const;

/** The state of the desktop app’s uploads, on every page. */
export const desktopStatus = {
  running_one: 'Uploading {{count}} picture',
  running_other: 'Uploading {{count}} pictures',
  waiting_one: '{{count}} upload is waiting',
  waiting_other: '{{count}} uploads are waiting',
  paused: 'Uploads are paused',
  show: 'Show uploads',
} as const;
