export const account = {
  username: 'Username',
  email: 'Email',
  noEmail: 'None',
  role: 'Role',
  owner: 'Owner',
  admin: 'Administrator',
  user: 'Member',
  since: 'Member since',
} as const;

/** Ending sessions and tokens together. */
export const access = {
  revokeTokens: 'Also revoke all API tokens',
  revokeTokensHint: 'Programs that upload for you stop working until you give them a new token.',
  end: 'Sign out and revoke tokens',
  endHint: 'Lost a device, or suspect that someone else has access? End all sessions and revoke all tokens, then change your password.',
  endTitle: 'Sign out everywhere else and revoke all tokens?',
  endText:
    'You’ll be signed out everywhere except here, and all API tokens will be revoked. Programs, scripts and connected devices will need new tokens.',
  ended: 'Signed out everywhere else, and all tokens revoked',
} as const;

/** Deleting the user's own account. */
export const accountDeletion = {
  title: 'Delete account',
  hint: 'Links to your pictures stop working. The pictures are deleted permanently after {{days}} days.',
  question: 'Delete your account?',
  text: 'You’ll be signed out everywhere, and tokens and connected devices will stop working immediately. Your pictures and albums can no longer be opened. The pictures are deleted permanently after {{days}} days; until then, an administrator can recover them.',
  export: 'To keep your pictures, download your data first.',
  done: 'Your account has been deleted',
} as const;

export const avatar = {
  title: 'Avatar',
  hint: 'Only users of this site see it.',
} as const;

/** The user's own account. */
export const profile = {
  edit: 'Change',
  save: 'Save',
  saved: 'Saved',
  usernameTitle: 'Change your username',
  emailTitle: 'Change your email address',
  emailHint: 'You can also sign in with it.',
  currentPassword: 'Current password',
  recentSignIn: 'Your account has no password, so this works only within {{minutes}} minutes of signing in.',
  signInAgain: 'Sign in again',
  newPassword: 'New password',
  password: 'Password',
  passwordHint: 'Changing it signs you out everywhere else.',
  passwordTitle: 'Change your password',
  noPasswordHint: 'Your account has none. To also sign in with a password, such as from other devices, set one.',
  passwordChanged: 'Password changed',
  export: 'Your data',
  exportHint: 'A zip file of all your pictures (including the trash) with their names, tags and albums.',
  exportButton: 'Download everything',
} as const;

export const preferences = {
  colours: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  language: 'Language',
  languageAuto: 'Browser default',
  languageInApp: 'System default',
  linkFormat: 'Link format',
  linkFormatHint: 'Used when you copy links and when uploads finish.',
  copyAfterUpload: 'Copy links after uploading',
  copyAfterUploadHint: 'If that isn’t allowed, a “Copy” button appears instead.',
  orders: {
    uploaded_desc: 'Date uploaded, newest first',
    uploaded_asc: 'Date uploaded, oldest first',
    taken_desc: 'Date taken, newest first',
    taken_asc: 'Date taken, oldest first',
    name_asc: 'Name',
    size_desc: 'File size, largest first',
  },
  density: 'Thumbnail size',
  densitySmall: 'Small',
  densityMedium: 'Medium',
  densityLarge: 'Large',
  layout: 'Layout',
  grid: 'Grid',
  list: 'List',
  stored: 'These settings are saved in this browser.',
  storedInApp: 'These settings are saved on this computer.',
} as const;

export const settings = {
  title: 'Settings',
  sections: 'Settings sections',
  appearance: 'Appearance',
  tokens: 'API tokens',
  account: 'Account',
} as const;

export const uploads = {
  title: 'Uploads',
  visibility: 'Default visibility',
  visibilityHint: 'For new pictures, unless you choose otherwise when uploading. Administrators can see all pictures.',
  album: 'Default album',
  albumHint: 'For new pictures, unless you choose another album when uploading.',
  copyright: 'Keep artist and copyright',
  copyrightHint: 'For new pictures. Their other metadata is still removed. Anyone who can open a picture can read these two.',
  text: 'Recognise text in my pictures',
  textHint: 'Lets you search for the text and copy it. Turning this off removes all text that was recognised.',
  stored:
    '“Ask before each upload”, “Copy links after uploading” and options you’ve chosen to use for all uploads are saved in this browser. The other settings belong to your account and apply to every program that uploads for you.',
  storedInApp:
    '“Ask before each upload”, “Copy links after uploading” and options you’ve chosen to use for all uploads are saved on this computer. The other settings belong to your account and apply to every program that uploads for you.',
  rememberInApp: 'Use these options for all uploads in this window',
  keptHint: 'Applied to every upload from this browser.',
  keptHintInApp: 'Applied to every upload from this window.',
  storage: 'Storage',
  storageHint: 'Includes the pictures in your trash.',
  limits: 'Upload limits',
  largest: 'Maximum file size',
  largestVideo: 'Maximum size of a video',
  longestVideo: 'Maximum length of a video',
  formats: 'Formats',
  rate: 'Uploads per minute',
  hourly: 'Uploads per hour',
  daily: 'Uploads per day',
  longest: 'Maximum link expiry',
  unlimited: 'Unlimited',
} as const;
