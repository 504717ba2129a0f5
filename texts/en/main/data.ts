/** Texts about the data folder. */
export const data = {
  dataStaysTitle: 'Your pictures stay where they are',
  dataStays: (folder: string, usual: string) =>
    `By default, Pixdock now keeps its data in ${usual}. Your data is still in ${folder}, because the new folder is in use or on another disk.`,
  backupFaultTitle: 'Your latest automatic backup can’t be restored',
};
