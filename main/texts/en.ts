import type { ErrorCode } from '#api/errors.ts';
import { accountEn } from './account.ts';
import { captureEn } from './capture.ts';
import { dataEn } from './data.ts';
import { foldersEn } from './folders.ts';
import { joiningEn } from './joining.ts';
import { lanEn } from './lan.ts';
import { noticesEn } from './notices.ts';
import { startupEn } from './startup.ts';
import { uploadsEn } from './uploads.ts';
import { windowsEn } from './windows.ts';

/** Texts of the tray, notifications and dialogs. */
export const en = {
  ...accountEn,
  ...captureEn,
  ...noticesEn,
  ...startupEn,
  ...uploadsEn,
  ...lanEn,
  ...windowsEn,
  ...dataEn,
  ...foldersEn,
  ...joiningEn,
  openPixdock: 'Open Pixdock',
  quit: 'Quit Pixdock',
  quitQuestion: 'Pictures are still uploading. Quit anyway?',
  keepUploading: 'Keep uploading',
  quitAnyway: 'Quit',
  uploadClipboard: 'Upload clipboard',
  uploadFiles: 'Upload files…',
  copyFailed: 'Couldn’t copy the link',
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
  linkFormats: { url: 'URL', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode', custom: 'Custom' },
  /** In the tray. */
  shortcutTaken: (keys: string) => `Shortcut ${keys} is already in use`,
  /** In a notification. */
  shortcutRefused: (keys: string) => `${keys} is already in use. Choose another shortcut under Settings → This computer.`,
  uploadedTitle: (count: number) => (count === 1 ? 'Link copied' : `${count} links copied`),
  uploadedWithoutCopy: (count: number) => (count === 1 ? 'Picture uploaded' : `${count} pictures uploaded`),
  pressToCopy: 'Click to copy.',
  failedTitle: (count: number) => (count === 1 ? 'Couldn’t upload a picture' : `Couldn’t upload ${count} pictures`),
  nothingTitle: 'Nothing to upload',
  clipboardEmpty: 'There’s no picture on the clipboard. Copy one and try again.',
  severalForOneName: 'You can name only one picture at a time. Copy a single file, or leave out the name.',
  albumMissing: 'There’s no album with this name or ID.',
  clipboardSilent: 'Couldn’t read the clipboard in time. Try again.',
  stillRunningTitle: 'Pixdock is still running',
  stillRunningBody: 'Links keep working. To quit Pixdock, use its tray icon.',
  choosePictures: 'Choose pictures to upload',
  pictures: 'Pictures',
  allFiles: 'All files',
  notAFile: 'This is a folder or a device, not a picture.',
  fileMissing: 'The file no longer exists.',
  fileUnreadable: 'You don’t have permission to read this file.',
  fileChanged: 'The file changed while it was being uploaded. Try again.',
  wasDiscarded: 'The upload was cancelled.',
  stillUploading:
    'The upload is taking longer than usual and will continue in Pixdock. You’ll find the link in the tray menu under Recent uploads.',
  checkForUpdates: 'Check for updates…',
  upToDate: (version: string) => `Pixdock ${version} is the latest version.`,
  updateAvailable: (version: string) => `Pixdock ${version} is available.`,
  downloadUpdate: 'Download',
  updateReady: (version: string) => `Pixdock ${version} will be installed when you quit.`,
  quitToUpdate: 'Quit and install',
  later: 'Later',
  updateFailed: 'Couldn’t update Pixdock',
  serviceUnreachable: 'The Pixdock service isn’t responding. Try again when it’s running.',
  /** Replace the service's own messages, which are in English, by error code. Codes missing here show the service's message. */
  refusals: {} as Partial<Record<ErrorCode, string>>,
};

export type Texts = typeof en;
