/** The user agent of the session with which the desktop app uploads. */
export const APP_USER_AGENT = 'Pixdock on this computer';
