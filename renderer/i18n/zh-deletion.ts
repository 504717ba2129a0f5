import type { Translation } from './en.ts';
import type { AdminTranslation } from './en-admin.ts';

export const ownDeletion: Translation['accountDeletion'] = {
  title: '删除账户',
  hint: '你的图片链接会失效，图片将在 {{days}} 天后永久删除。',
  question: '删除你的账户？',
  text: '你会在所有设备上退出登录，令牌和已连接的设备立即失效，你的图片和相册无法再打开。图片将在 {{days}} 天后永久删除，在此之前管理员可以恢复。',
  export: '如需保留图片，请先下载你的数据。',
  recent: '你的账户没有密码，因此必须在最近 {{minutes}} 分钟内登录过。',
  signInAgain: '重新登录',
  done: '你的账户已删除',
};

export const userDeletion: AdminTranslation['deletion'] = {
  delete: '删除用户',
  title: '删除 {{name}}？',
  submit: '删除用户',
  text: '该用户会在所有设备上退出登录，且无法再登录；令牌和已连接的设备立即失效。用户名和邮箱可用于新账户。此操作无法撤销。',
  images: '图片和相册',
  trash: '移到回收站',
  trashHint: '链接会失效，图片将在 {{days}} 天后永久删除。在此之前，可以把图片转移给其他用户。',
  move: '转移给其他用户',
  moveHint: '相册和链接保持不变，只有用于删除的链接会失效。',
  started: '{{name}} 已无法登录',
  badge: '已删除',
  moving: '正在把图片转移给 {{name}}：{{done}}/{{all}}',
  trashing: '正在把图片移到回收站：{{done}}/{{all}}',
  inTrash_other: '回收站中有 {{formatted}} 张图片，保留到 {{date}}。如需保留，请转移给其他用户。',
};
