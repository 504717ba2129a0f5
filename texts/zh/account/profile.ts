import type { profile as english } from '#texts/en/account/profile.ts';
import type { Translated } from '#texts/translated.ts';

export const profile: Translated<typeof english> = {
  edit: '更改',
  save: '保存',
  saved: '已保存',
  usernameTitle: '更改用户名',
  emailTitle: '更改邮箱',
  emailHint: '也可以用它登录。',
  currentPassword: '当前密码',
  newPassword: '新密码',
  password: '密码',
  passwordHint: '更改后，其他设备和浏览器会退出登录。',
  passwordTitle: '更改密码',
  noPasswordHint: '你使用 SSO 登录。设置密码后，也可以用密码登录。',
  passwordChanged: '密码已更改',
  export: '你的数据',
  exportHint: '一个 zip 文件，包含全部图片（含回收站）以及名称、标签和相册。',
  exportButton: '下载全部',
};
