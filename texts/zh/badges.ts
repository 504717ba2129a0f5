import type { badges as english } from '#texts/en/badges.ts';
import type { Translated } from '#texts/translated.ts';

export const badges: Translated<typeof english> = {
  join: '，',
  private: '仅自己',
  protected: '受密码保护',
  expires: '{{date}} 过期',
  expired: '已过期',
  viewsLeft_other: '还可浏览 {{count}} 次',
  left: '剩 {{formatted}} 次',
  hidden: '打开相册的人看不到',
};
