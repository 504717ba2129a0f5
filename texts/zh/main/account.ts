import type { account as english } from '#texts/en/main/account.ts';

export const account: typeof english = {
  uploadsAs: (name) => `上传到 ${name} 的账户`,
  accountMissing: '上传所用的账户已停用或不存在。请在“设置 → 本机”中选择其他账户。',
  accountMissingLabel: '暂时无法上传：所用账户已停用或被删除',
};
