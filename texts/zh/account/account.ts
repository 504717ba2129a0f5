import type { account as english } from '#texts/en/account/account.ts';
import type { Translated } from '#texts/translated.ts';

export const account: Translated<typeof english> = {
  username: '用户名',
  email: '邮箱',
  noEmail: '无',
  role: '角色',
  owner: '所有者',
  admin: '管理员',
  user: '成员',
  since: '加入时间',
};
