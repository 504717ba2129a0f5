import type { links as english } from '#texts/en/links.ts';
import type { Translated } from '#texts/translated.ts';

export const links: Translated<typeof english> = {
  share: '分享…',
  qr: '二维码',
  qrOf: '{{url}} 的二维码',
  title: '链接',
  url: 'URL',
  markdown: 'Markdown',
  html: 'HTML',
  bbcode: 'BBCode',
  thumbnail: '缩略图',
  copy: '复制',
  copyAs: '复制“{{format}}”',
  copied: '已复制',
  copiedLinks_other: '已复制 {{count}} 个链接',
  privateHint: '这张图片仅自己可见，其他人无法打开链接。',
  somePrivateHint_other: '其中 {{count}} 张图片仅自己可见，其他人无法打开链接。',
  byHandTitle: '手动复制',
  byHandText: '浏览器阻止了对剪贴板的访问。文字已选中，请按 {{keys}} 复制。',
  byHandLabel: '要复制的文字',
};
