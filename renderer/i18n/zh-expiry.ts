import type { Translation } from './en.ts';

export const badges: Translation['badges'] = {
  join: '，',
  private: '仅自己',
  protected: '受密码保护',
  expires: '{{date}} 过期',
  expired: '已过期',
  viewsLeft_other: '还可浏览 {{count}} 次',
  left: '剩 {{formatted}} 次',
  hidden: '打开相册的人看不到',
};

export const hidden: Translation['hidden'] = {
  title_other: '打开此相册的人看不到其中 {{count}} 张图片',
  private_other: '{{count}} 张设为“仅自己”',
  password_protected_other: '{{count}} 张受密码保护',
  view_limited_other: '{{count}} 张有浏览次数上限',
  expired_other: '{{count}} 张已过期，在你的回收站中',
};

export const expiry: Translation['expiry'] = {
  toTrash: '此图片将于 {{date}} 移到你的回收站，链接同时失效。',
  toNothing: '此图片将于 {{date}} 永久删除。',
  hintTrash: '到期后，链接会失效，图片会移到你的回收站。',
  hintNothing: '到期后，链接会失效，图片会被永久删除。',
  set: '设置有效期',
  saved: '有效期已设置',
  removed: '有效期已取消',
  removedText: '链接不会再过期。',
  preference: '过期的图片',
  preferenceHint: '图片过期后，链接会失效。',
  keep: '移到回收站',
  delete: '永久删除',
  byGroup: '根据管理员的设置，过期的图片会被永久删除。',
};
