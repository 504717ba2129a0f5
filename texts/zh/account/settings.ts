import type { settings as english } from '#texts/en/account/settings.ts';
import type { Translated } from '#texts/translated.ts';

export const settings: Translated<typeof english> = {
  title: '设置',
  sections: '设置分类',
  appearance: '外观',
  tokens: 'API 令牌',
  account: '账户',
};
