/** Texts about the account that main uploads with. */
export const accountEn = {
  uploadsAs: (name: string) => `Uploads go to ${name}`,
  accountMissing: 'The account for uploads is disabled or no longer exists. Choose another one under Settings → This computer.',
  /** In the tray. */
  accountMissingLabel: 'Uploads are on hold: the account for uploads is disabled or deleted',
};

export const accountZh: typeof accountEn = {
  uploadsAs: (name) => `上传到 ${name} 的账户`,
  accountMissing: '上传所用的账户已停用或不存在。请在“设置 → 本机”中选择其他账户。',
  accountMissingLabel: '暂时无法上传：所用账户已停用或被删除',
};
