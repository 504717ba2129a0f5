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
