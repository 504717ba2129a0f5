import type { Translation } from './en.ts';

export const signOn: Translation['signOn'] = {
  title: 'SSO 登录',
  hint: '关联后即可使用 SSO 登录此账户，管理员也可以。',
  none: '未关联',
  since: '关联于 {{date}}',
  link: '关联 SSO',
  linkTitle: '将你的账户关联 SSO',
  linkText: '接下来会打开身份提供商。在那里登录的人之后可以登录此账户，请确认登录的是你本人。',
  continue: '继续',
  inBrowser: '请在浏览器中打开 Pixdock 进行关联：应用不会打开身份提供商。',
  unlink: '取消关联',
  unlinkOne: '取消关联 {{issuer}}',
  unlinkTitle: '取消关联？',
  unlinkText: '之后将无法通过 {{issuer}} 用 SSO 登录此账户。你可以以后再次关联。',
  unlinked: '已取消关联',
  linked: '你的账户已关联，可以使用 SSO 登录了。',
};

export const access: Translation['access'] = {
  revokeTokens: '同时吊销全部 API 令牌',
  revokeTokensHint: '代你上传的程序会停止工作，直到你为它们提供新令牌。',
  end: '全部结束',
  endHint: '丢失了设备，或怀疑他人能访问你的账户？请结束全部登录会话和令牌，然后更改密码。',
  endTitle: '全部结束？',
  endText: '除此浏览器外，你会在所有地方退出登录，全部 API 令牌也会被吊销：程序、脚本和已连接的设备需要新令牌。',
  ended: '其他登录会话和全部令牌均已结束',
};
