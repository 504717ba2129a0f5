import type { ConflictProblem } from '#api/errors.ts';

/** Why an action isn't possible as things are. */
export const conflicts: Record<ConflictProblem, string> = {
  policy_moving: '正在移动其中一个策略的图片，请等待完成。',
  policies_changed: '存储策略刚刚被更改，请重试。',
  policy_in_use: '以下用户组正在使用此策略：{{subject}}。请先从这些用户组中移除。',
  policy_not_empty: '此策略中仍有图片，可能在回收站里。请先永久删除这些图片。',
  group_built_in: '这是内置用户组，不能删除。',
  group_not_empty: '此用户组中还有成员，请先将成员移到其他用户组。',
  last_sign_in: '这是登录你账户的唯一方式。请先设置密码。',
  owner_without_password: '所有者的账户还没有密码。请先在“设置 → 账户”中设置密码。',
  other_address: '请打开 {{subject}} 并在那里登录：身份提供商只会重定向到该地址。',
  backup_running: '正在备份，请等待完成。',
  backup_being_checked: '正在检查另一个备份，请等待完成。',
  no_restore_here: '无法将备份还原到此服务器的数据库。还原方法请参阅指南“Several machines”。',
  already_set_up: 'Pixdock 已完成设置，请直接登录。',
  passkeys_need_https: '只有通过带主机名的 https 地址或 localhost 打开此站点时，才能使用通行密钥。',
  passkey_known: '此通行密钥已添加过。',
  too_many_passkeys: '每个账户最多 {{limit}} 个通行密钥。请先移除一个。',
  no_password: '你的账户没有密码，因此无需用验证码保护。请先设置密码。',
  two_factor_off: '两步验证未开启。',
  account_deleting: '正在删除此账户。',
  heir_of_deletion: '正在将另一个账户的图片转移给 {{subject}}，请在完成后重试。',
};
