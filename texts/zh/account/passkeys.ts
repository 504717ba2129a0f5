import type { passkeys as english } from '#texts/en/account/passkeys.ts';
import type { Translated } from '#texts/translated.ts';

export const passkeys: Translated<typeof english> = {
  title: '通行密钥',
  hint: '用指纹、面容、锁屏密码或安全密钥登录。使用通行密钥登录时，无需密码和验证码。',
  add: '添加通行密钥',
  unavailable: '如需添加，请用带主机名的 https 地址或 localhost 打开此站点。浏览器不允许在其他地址上使用通行密钥。',
  added: '添加于 {{date}}',
  used: '上次使用于 {{date}}',
  name: '名称',
  nameHint: '便于区分，例如：笔记本电脑',
  rename: '重命名',
  renameOne: '重命名 {{name}}',
  renameTitle: '重命名通行密钥',
  remove: '移除',
  removeOne: '移除 {{name}}',
  removeTitle: '移除“{{name}}”？',
  removeText: '移除后无法再用它登录。也可以在设备上将其删除。',
  removed: '通行密钥已移除',
};
