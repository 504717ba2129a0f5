/** Texts of notifications about several pictures. */
export const noticesEn = {
  andMore: (count: number) => `and ${count} more`,
  labelled: (label: string, text: string) => `${label}: ${text}`,
};

export const noticesZh: typeof noticesEn = {
  andMore: (count) => `还有 ${count} 张`,
  labelled: (label, text) => `${label}：${text}`,
};
