/** Texts about capturing the screen, the clipboard and shortcuts. */
export const capture = {
  captureScreen: 'Capture and upload',
  captureScreenIn: (seconds: number) => `Capture and upload in ${seconds} seconds`,
  moreCaptures: 'More captures',
  captureModes: { region: 'Region', 'last-region': 'Last region', window: 'Window', screen: 'Whole screen' },
  noDelay: 'No delay',
  delayOf: (seconds: number) => `Delay of ${seconds} seconds`,
  editCapture: 'Edit capture',
  askToUpload: (count: number) => (count === 1 ? 'Upload the picture?' : `Upload ${count} pictures?`),
  askToUploadDetail: 'Nothing is uploaded until you decide. Drafts are listed under Uploads.',
  uploadNow: 'Upload',
  editFirst: 'Edit first',
  later: 'Keep as draft',
  draftGone: 'This picture has already been sent or discarded.',
  pinUnsupported: 'Wayland doesn’t let apps keep a window on top.',
  tooManyPins: 'Too many pictures are pinned. Close some of them first.',
  closePins: (count: number) => (count === 1 ? 'Close the pinned picture' : `Close ${count} pinned pictures`),
  showDropWindow: 'Show drop window',
  dropWindow: 'Drop pictures',
  captureTitle: 'Couldn’t capture the screen',
  captureOpen: 'A capture is already open. Finish or cancel it first.',
  captureMissing: 'No screenshot program was found. Install gnome-screenshot, Spectacle, Flameshot, or grim and slurp.',
  captureNoRegion: 'There’s no last region. Select one first; not every screenshot program reports which it was.',
  captureModeMissing: 'No program on this computer can capture that.',
  /** Followed by the reasons. */
  captureFailed: 'Couldn’t take the screenshot.',
  clipboardPrograms:
    'Under Wayland, Pixdock needs wl-clipboard to read the clipboard while another window has the focus. Install the package wl-clipboard and try again.',
  screenNotAllowed:
    'macOS doesn’t let Pixdock record the screen yet. Allow it under System Settings → Privacy & Security → Screen & System Audio Recording, then quit Pixdock and open it again.',
  openSystemSettings: 'Open System Settings',
  /** In a notification. */
  shortcutRefused: (keys: string) => `${keys} is already in use. Choose another shortcut under Settings → This computer.`,
  clipboardEmpty: 'There’s no picture on the clipboard. Copy one and try again.',
  severalForOneName: 'You can name only one picture at a time. Copy a single file, or leave out the name.',
  clipboardSilent: 'Couldn’t read the clipboard in time. Try again.',
};
