import type { notices as english } from '#texts/en/main/notices.ts';

export const notices: typeof english = {
  andMore: (count) => `还有 ${count} 张`,
  closeBox: '关闭',
  showMore: '查看',
  labelled: (label, text) => `${label}：${text}`,
};
