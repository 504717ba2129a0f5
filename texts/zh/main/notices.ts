import type { notices as english } from '#texts/en/main/notices.ts';

export const notices: typeof english = {
  andMore: (count) => `还有 ${count} 张`,
  closeBox: '关闭',
  showMore: '查看',
  picturesReceived: (count, from) => `${from || '有人'}发送了 ${count} 张图片`,
  receivedFor: (title) => `“${title}”收到新图片`,
  labelled: (label, text) => `${label}：${text}`,
};
