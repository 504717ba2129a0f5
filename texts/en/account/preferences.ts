export const preferences = {
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
  stored: 'These settings are saved in this browser.',
} as const;
