import type { nav as english } from '#texts/en/shell/nav.ts';
import type { Translated } from '#texts/translated.ts';

export const nav: Translated<typeof english> = {
  label: '主导航',
  pictures: '图片',
  albums: '相册',
  trash: '回收站',
  uploads: '上传',
  folders: '文件夹',
  settings: '设置',
  admin: '管理',
  upload: '上传',
  signOut: '退出登录',
  account: '账户',
  storage: '存储空间',
  usedOf: '已用 {{used}}，共 {{quota}}',
  used: '已用 {{used}}',
};
