import type { Reach } from '#api/sharing/reach.ts';
import { opened } from '#texts/en/pictures.ts';
import { opens } from '#texts/en/shell/common.ts';

/** Texts about who can open links: the words of the pages. */
export const reach = {
  opens: (who: Reach | 'private', count = 1) => (count === 1 ? opens.sentence : opens.sentences).replace('{{who}}', opens[who]),
  onlyYou: opens.private as string,
  shareNow: opened.shareNow as string,
  linkCopiedAgain: opened.shared as string,
  shareFailed: 'Couldn’t share the link',
  openPicture: 'Open picture',
  notNow: 'Not now',
};

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

/** Texts about the account that main uploads with. */
export const account = {
  uploadsAs: (name: string) => `Uploads go to ${name}`,
  accountMissing: 'The account for uploads is disabled or no longer exists. Choose another one under Settings → This computer → System.',
  /** In the tray. */
  accountMissingLabel: 'Uploads are on hold: the account for uploads is disabled or deleted',
};

/** Texts about the data folder. */
export const data = {
  dataStaysTitle: 'Your pictures stay where they are',
  dataStays: (folder: string, usual: string) =>
    `By default, Pixdock now keeps its data in ${usual}. Your data is still in ${folder}, because the new folder is in use or on another disk.`,
  dataFolderIsFixed: 'The environment variable PIXDOCK_DATA_DIR sets the data folder. Change it there.',
  dataFolderNotEmpty: 'This folder contains other files. Choose an empty one:',
  dataFolderNotWritable: 'You don’t have permission to write to this folder. Choose another one:',
  dataFolderOnNetwork: 'This folder is on a network share, where the database can be damaged. Choose one on a local disk:',
  backupFaultTitle: 'Your latest automatic backup can’t be restored',
};

/** Texts about the first launch, and about joining another Pixdock server. */
export const joining = {
  chooseNewDataFolder: 'Choose a folder for your pictures',
  chooseDataFolder: 'Choose a Pixdock data folder',
  hostUnreachable: 'The Pixdock server isn’t responding. Uploads will continue when it’s back.',
  hostDiffers: 'A different Pixdock server is responding at your server’s address. Uploads will continue when your server is back.',
  tokenRevoked: 'The Pixdock server no longer accepts uploads from this computer. Open Pixdock and connect again.',
  /** In the tray. */
  joinedTo: (name: string) => `Connected to ${name}`,
  hostWaiting: (name: string) => `${name} isn’t responding`,
  hostRefuses: (name: string) => `${name} no longer accepts uploads`,
  connectAgain: 'Connect again…',
  openHost: (name: string) => `Open ${name}`,
  leaveQuestion: (name: string) => `Leave ${name}?`,
  leaveHint: 'Your pictures stay on the server, and their links keep working. Pixdock will restart and ask what to do next.',
  leaveUploads: (count: number) =>
    count === 1
      ? 'One picture hasn’t been uploaded yet. It will be discarded.'
      : `${count} pictures haven’t been uploaded yet. They will be discarded.`,
  leave: 'Leave',
  stay: 'Cancel',
};

/** Texts about sharing on the local network. */
export const lan = {
  lanOff: 'Not shared on this network',
  lanStarting: 'Sharing on this network…',
  lanNoNetwork: 'Not connected to a network',
  lanUnconfirmed: 'Shared on this network, not opened by another device yet',
  lanUnreached: 'Shared on this network, but other devices may be blocked',
  lanReached: (by: string) => `Shared on this network, opened by ${by}`,
  lanMissing: (host: string) => `Links don’t work: this computer no longer has the address ${host}`,
  lanShare: 'Share on this network',
  lanCode: 'Show QR code…',
  hostIsFixed: 'The environment variable PIXDOCK_HOST decides who can open Pixdock. Change it there.',
  noNetworkToShare: 'This computer isn’t connected to a network. Links can be shared once it is.',
  choosePort: 'Choose another port…',
  linksStartElsewhere: 'Your links use the address set under Administration → Settings. Change it there.',
  portIsBlocked: 'Browsers refuse to open this port, which belongs to another service. Choose a different one.',
  portIsTaken: 'Another program is using this port. Choose a different one.',
  notAHost: 'Enter a host name or an IPv4 address, without http:// or a port.',
  portIsFixed: 'The port is set by the environment variable PIXDOCK_PORT. Change it there.',
  localNetworkBlocked:
    'macOS may be keeping Pixdock off your local network. Allow it under System Settings → Privacy & Security → Local Network.',
};

/** Texts about updates of the app. */
export const updates = {
  checkForUpdates: 'Check for updates…',
  upToDate: (version: string) => `Pixdock ${version} is the latest version.`,
  updateAvailable: (version: string) => `Pixdock ${version} is available.`,
  downloadUpdate: 'Download',
  updateReady: (version: string) => `Pixdock ${version} will be installed when you quit.`,
  quitToUpdate: 'Quit and install',
  later: 'Later',
  updateFailed: 'Couldn’t update Pixdock',
};

/** Texts of the window and its menus. */
export const windows = {
  noTrayTitle: 'Pixdock is still running',
  noTrayBody:
    'This desktop doesn’t show tray icons, so closing the window minimises it instead. To quit Pixdock, press Ctrl+Q in its window.',
  /** In the tray. */
  openSettings: 'Settings…',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  languages: { system: 'System default', en: 'English', zh: '简体中文' },
  menuFile: 'File',
  menuEdit: 'Edit',
  menuView: 'View',
  menuWindow: 'Window',
  menuHelp: 'Help',
  closeWindow: 'Close window',
  /** In the menus that only macOS has. */
  about: 'About Pixdock',
  services: 'Services',
  hide: 'Hide Pixdock',
  hideOthers: 'Hide others',
  showAll: 'Show all',
  minimize: 'Minimise',
  zoomWindow: 'Zoom',
  bringToFront: 'Bring all to front',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  reload: 'Reload',
  actualSize: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fullScreen: 'Full screen',
  openLogFolder: 'Open log folder',
  copyPicture: 'Copy picture',
  copyPictureAddress: 'Copy picture address',
  savePicture: 'Save picture as…',
  copyLinkAddress: 'Copy link address',
  pageCrashes: 'Pixdock’s window keeps crashing',
  pageCrashesDetail: 'Uploads and links keep working. Reload the window, or close it and open it again later.',
};
