import type { unsaved as english } from '#texts/en/shell/unsaved.ts';
import type { Translated } from '#texts/translated.ts';

export const unsaved: Translated<typeof english> = {
  title: '放弃更改？',
  text: '你的更改尚未保存。',
  stay: '继续编辑',
  discard: '放弃更改',
};
