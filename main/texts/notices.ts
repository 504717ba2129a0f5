/** Texts of notifications and of what takes their place. */
export const noticesEn = {
  andMore: (count: number) => `and ${count} more`,
  /** Buttons of a message box. */
  closeBox: 'Close',
  showMore: 'Show',
  labelled: (label: string, text: string) => `${label}: ${text}`,
};

export const noticesZh: typeof noticesEn = {
  andMore: (count) => `还有 ${count} 张`,
  closeBox: '关闭',
  showMore: '查看',
  labelled: (label, text) => `${label}：${text}`,
};
