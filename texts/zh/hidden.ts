export const hidden = {
  title_other: '打开此相册的人看不到其中 {{count}} 张图片',
  private_other: '{{count}} 张设为“仅自己”',
  password_protected_other: '{{count}} 张受密码保护',
  view_limited_other: '{{count}} 张有浏览次数上限',
  expired_other: '{{count}} 张已过期，在你的回收站中',
};
