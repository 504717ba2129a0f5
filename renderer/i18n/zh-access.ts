import type { Translation } from './en.ts';

export const signOn: Translation['signOn'] = {
  title: 'SSO 登录',
  hint: '关联后即可使用 SSO 登录此账户，管理员也可以。',
  none: '未关联',
  since: '关联于 {{date}}',
  link: '关联 SSO',
  linkTitle: '将你的账户关联 SSO',
  linkText: '接下来会打开登录服务。在那里登录的人之后可以登录此账户，请确认登录的是你本人。',
  continue: '继续',
  inBrowser: '请在浏览器中打开 Pixdock 进行关联：应用不会打开登录服务。',
  unlink: '取消关联',
  unlinkOne: '取消关联 {{issuer}}',
  unlinkTitle: '取消关联？',
  unlinkText: '之后将无法通过 {{issuer}} 用 SSO 登录此账户。你可以以后再次关联。',
  unlinked: '已取消关联',
  linked: '你的账户已关联，可以使用 SSO 登录了。',
};
