import type { publicPages as english } from '#texts/en/public/public.ts';
import type { Translated } from '#texts/translated.ts';

export const publicPages: Translated<typeof english> = {
  toPictures: '我的图片',
  signIn: '登录',
};
