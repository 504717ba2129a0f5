import type { picture as english } from '#texts/en/picture.ts';
import type { Translated } from '#texts/translated.ts';

export const picture: Translated<typeof english> = {
  description: '描述',
  title: '标题',
  titleHint: '代替文件名显示。',
  caption: '图片说明',
  captionHint: '显示在分享页面的图片下方。',
  alt: '替代文本',
  altHint: '向看不到图片的人描述图片，用于 Markdown 和 HTML 链接。',
  address: '自定义地址',
  addressHint: '用易读的地址代替随机地址。原来的链接仍然有效。',
  addressFree: '此地址可以使用。',
  addressProblem: {
    malformed: '请使用 2 到 63 个英文字母（a 到 z）、数字或连字符，且不能以连字符开头。',
    like_key: '恰好由 12 个字母和数字组成的地址为系统保留。请增减字符，或加上连字符。',
    reserved: '此地址为系统保留，请换一个。',
    taken: '其他图片正在使用此地址，请换一个。',
  },
  versionOf: '{{name}}（替换前的版本）',
  edit: '编辑图片',
  more: '更多操作',
  replaceWith: '替换图片…',
};
