import type { signOn as english } from '#texts/en/account/sign-on.ts';
import type { Translated } from '#texts/translated.ts';

export const signOn: Translated<typeof english> = {
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
