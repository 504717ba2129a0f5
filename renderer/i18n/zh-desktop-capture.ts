import type { Translation } from './en.ts';

export const capture: Translation['capture'] = {
  links: '链接',
  linksHint: '应用复制到剪贴板的链接格式。对有查看次数上限的图片，地址指向分享页面。',
  customLink: '自定义',
  template: '模板',
  templateHint: '可替换：{{placeholders}}。要输入一个左花括号，请连续输入两个。',
  templateEmpty: '请输入模板。',
  unknownPlaceholders: '未知的占位符：{{unknown}}',
  separator: '多个链接之间',
  separators: { newline: '换行', space: '空格', comma: '逗号' },
  preview: '预览',
};
