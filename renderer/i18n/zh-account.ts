import type { Translation } from './en.ts';

export const profile: Translation['profile'] = {
  edit: '更改',
  save: '保存',
  saved: '已保存',
  usernameTitle: '更改用户名',
  emailTitle: '更改邮箱',
  emailHint: '也可以用它登录。',
  currentPassword: '当前密码',
  newPassword: '新密码',
  password: '密码',
  passwordHint: '更改后，你在其他设备和浏览器上会退出登录。',
  passwordTitle: '更改密码',
  noPasswordHint: '你使用 SSO 登录。设置密码后，可以不通过 SSO 登录。',
  passwordChanged: '密码已更改',
  export: '你的数据',
  exportHint: '一个 zip 文件，包含全部图片（含回收站）以及名称、标签和相册。',
  exportButton: '下载全部',
};

export const uploads: Translation['uploads'] = {
  title: '上传',
  visibility: '默认可见性',
  visibilityHint: '决定谁可以看到你上传的图片。上传程序可以另行指定。',
  album: '默认相册',
  albumHint: '上传时未指定相册，则存入此相册。',
  stored: '这些设置属于你的账户，对所有代你上传的程序生效。',
  storage: '存储空间',
  limits: '上传限制',
  largest: '单个文件上限',
  formats: '格式',
  rate: '每分钟上传数',
  hourly: '每小时上传数',
  daily: '每天上传数',
  longest: '最长链接有效期',
  unlimited: '不限',
};

export const sessions: Translation['sessions'] = {
  title: '登录设备',
  intro: '你的账户已在以下设备和程序上登录。如果有你不认识的，请先让它退出登录，再更改密码。',
  list: '你的登录设备',
  current: '此浏览器',
  seen: '上次使用于 {{date}}',
  since: '登录于 {{date}}',
  end: '退出登录',
  endOne: '让 {{name}} 退出登录',
  endOthers: '退出其他所有登录',
  ended: '已退出登录',
  app: '这台电脑上的 Pixdock',
  unknown: '未知程序',
};
