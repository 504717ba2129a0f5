/** Texts of notifications about several pictures. */
export const noticesEn = {
  andMore: (count: number) => `and ${count} more`,
};

export const noticesZh: typeof noticesEn = {
  andMore: (count) => `还有 ${count} 个`,
};
