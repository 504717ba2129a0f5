/** Texts about starting and quitting. */
export const startup = {
  cantStart: 'Pixdock can’t start',
  newerJournal: 'The list of uploads was saved by a newer version of Pixdock. Install that version again.',
  usualFolderOnNetwork:
    'The default data folder is on a network share, where the database can be damaged. Under Options…, choose a folder on a local disk. The default folder:',
  more: 'More',
  startAtLogin: 'Start at login',
  startAtLoginFailed: 'Couldn’t change “Start at login”',
  startAtLoginRefused: 'The system refused. Change it in the system’s settings for programs that start at login.',
  startAtLoginBlockedTitle: 'Pixdock can’t start at login yet',
  startAtLoginBlocked: {
    darwin: 'Allow it under System Settings → General → Login Items.',
    win32: 'Allow it under Settings → Apps → Startup.',
  } as Partial<Record<string, string>>,
  /** In the tray. */
  quitting: 'Quitting…',
  startsAgain: 'Starting again in a moment…',
  keptTitle: (count: number) => (count === 1 ? '1 upload will continue' : `${count} uploads will continue`),
  keptBody: (count: number) => `${count === 1 ? 'It' : 'They'} will be sent the next time Pixdock starts.`,
  quit: 'Quit Pixdock',
  quitQuestion: 'Pictures are still uploading. Quit anyway?',
  keepUploading: 'Keep uploading',
  quitAnyway: 'Quit',
};
