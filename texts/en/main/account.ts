/** Texts about the account that main uploads with. */
export const account = {
  uploadsAs: (name: string) => `Uploads go to ${name}`,
  accountMissing: 'The account for uploads is disabled or no longer exists. Choose another one under Settings → This computer.',
  /** In the tray. */
  accountMissingLabel: 'Uploads are on hold: the account for uploads is disabled or deleted',
};
