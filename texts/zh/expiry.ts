import type { expiry as english } from '#texts/en/expiry.ts';
import type { Translated } from '#texts/translated.ts';

export const expiry: Translated<typeof english> = {
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
