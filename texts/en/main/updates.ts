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
