/** What a new user can do next, once their account is there. */
export const welcome = {
  title: 'Welcome to {{site}}',
  intro: 'Your account is ready, and you’re signed in.',
  browser: 'Open in this browser',
  desktop: 'On this computer',
  desktopText: 'The desktop app captures the screen, watches folders, and uploads with a shortcut. Connect it to your account here.',
  join: 'Join with the desktop app',
  notInstalled: 'Nothing happens? Install and start the app first, then press the button again.',
  download: 'Download Pixdock',
  phone: 'On your phone',
  fromComputer: 'Later, scan the code under “Settings → Phone” to upload from your phone’s share sheet.',
  homeScreen: 'Keep Pixdock at hand: choose “Add to Home Screen” in the browser’s share sheet or menu.',
  shareSheet: 'To upload from the share sheet, open Pixdock on a computer, and “Settings” and “Phone” there.',
} as const;
