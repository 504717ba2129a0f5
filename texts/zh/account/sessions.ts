import type { sessions as english } from '#texts/en/account/sessions.ts';
import type { Translated } from '#texts/translated.ts';

export const sessions: Translated<typeof english> = {
  title: '登录设备',
  intro: '你的账户已在以下设备和程序上登录。如果有你不认识的，请先让它退出登录，再更改密码。',
  list: '你的登录设备',
  current: '此浏览器',
  seen: '上次使用于 {{date}}',
  since: '登录于 {{date}}',
  end: '退出登录',
  endOne: '让 {{name}} 退出登录',
  endOthers: '让其他设备全部退出登录',
  ended: '该设备已退出登录',
  endedOthers: '其他设备已退出登录',
  app: '这台电脑上的 Pixdock',
  unknown: '未知程序',
};
