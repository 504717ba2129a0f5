import type { deletion as english } from '#texts/en/admin/deletion.ts';
import type { Translated } from '#texts/translated.ts';

export const deletion: Translated<typeof english> = {
  delete: '删除用户',
  title: '删除 {{name}}？',
  submit: '删除用户',
  text: '该用户会在所有设备上退出登录，且无法再登录；令牌立即失效，已连接的设备随即断开。用户名和邮箱可用于新账户。此操作无法撤销。',
  images: '图片和相册',
  trash: '移到回收站',
  trashHint: '链接会失效，图片将在 {{days}} 天后永久删除。在此之前，可以把图片转移给其他用户。',
  move: '转移给其他用户',
  moveHint: '相册和链接保持不变，只有用于删除的链接会失效。',
  started: '{{name}} 已无法登录',
  badge: '已删除',
  moving: '正在把图片转移给 {{name}}：{{done}} / {{all}}',
  trashing: '正在把图片移到回收站：{{done}} / {{all}}',
  inTrash_other: '回收站中有 {{formatted}} 张图片，将于 {{date}}永久删除。如需保留，请转移给其他用户。',
};
