/** Texts of the tray and its menu. */
export const tray = {
  openPixdock: 'Open Pixdock',
  uploadClipboard: 'Upload clipboard',
  uploadFiles: 'Upload files…',
  copyAddress: (address: string) => `Copy address: ${address}`,
  serviceStarting: 'Starting…',
  serviceDown: (detail: string) => `Pixdock isn’t running: ${detail}`,
  /** Replace the service's own messages, by problem code. */
  problems: {
    port_in_use: 'another program is using its port',
    port_forbidden: 'the system won’t let it use its port',
    no_answer: 'it didn’t respond in time',
    hung: 'it stopped responding',
    ended: 'it quit unexpectedly',
    data_folder: 'it can’t use its data folder',
    failed: 'it couldn’t start',
  } as Record<string, string>,
  retry: 'Try again',
  dismiss: 'Dismiss',
  recentUploads: 'Recent uploads',
  noUploads: 'No uploads yet',
  linkFormat: 'Link format',
  linkFormats: {
    url: 'URL',
    markdown: 'Markdown',
    markdown_linked: 'Markdown with link',
    html: 'HTML',
    html_responsive: 'Responsive HTML',
    bbcode: 'BBCode',
    custom: 'Custom',
  },
  /** In the tray. */
  shortcutUnknown: (keys: string) => `This desktop doesn’t know the shortcut ${keys}`,
  shortcutTaken: (keys: string) => `Shortcut ${keys} is already in use`,
  stillRunningTitle: 'Pixdock is still running',
  stillRunningBody: 'Links keep working. To quit Pixdock, use its tray icon.',
};
