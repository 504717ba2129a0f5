import type { Translation } from './en.ts';

export const signOn: Translation['signOn'] = {
  title: '单点登录（SSO）',
  hint: '关联后即可使用 SSO 登录此账户。管理员账户也可以关联。',
  none: '未关联',
  since: '关联于 {{date}}',
  link: '关联 SSO',
  linkTitle: '将你的账户关联到 SSO',
  linkText: '接下来会转到身份提供商的登录页面。你在该页面登录时所用的身份，今后可用于登录此账户，请务必使用你本人的身份。',
  continue: '继续',
  inBrowser: '桌面应用不支持关联 SSO。请在浏览器中打开 Pixdock 进行关联。',
  unlink: '取消关联',
  unlinkOne: '取消关联 {{issuer}}',
  unlinkTitle: '取消关联？',
  unlinkText: '取消后，将无法使用 {{issuer}} 的 SSO 登录此账户。以后可以重新关联。',
  unlinked: '已取消关联',
  linked: '你的账户已关联，可以使用 SSO 登录了。',
};

export const access: Translation['access'] = {
  revokeTokens: '同时吊销全部 API 令牌',
  revokeTokensHint: '代你上传的程序会停止工作，换用新令牌后才能继续。',
  end: '全部退出登录并吊销令牌',
  endHint: '丢失了设备，或怀疑他人能访问你的账户？请让其他设备全部退出登录并吊销全部令牌，然后更改密码。',
  endTitle: '让其他设备全部退出登录，并吊销全部令牌？',
  endText: '除此浏览器外，其他设备和浏览器都会退出登录，全部 API 令牌也会被吊销：程序、脚本和已连接的设备需要新令牌。',
  ended: '其他设备已退出登录，全部令牌已吊销',
};
