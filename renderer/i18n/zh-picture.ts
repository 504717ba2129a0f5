import type { Translation } from './en.ts';

export const picture: Translation['picture'] = {
  description: '说明',
  title: '标题',
  titleHint: '代替文件名显示。',
  caption: '图片说明',
  captionHint: '显示在分享页面的图片下方。',
  alt: '替代文本',
  altHint: '向看不到图片的人描述图片，用于 Markdown 和 HTML 链接。',
  versionOf: '被替换的旧版本',
};
