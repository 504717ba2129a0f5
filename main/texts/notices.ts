/** Texts of notifications about several pictures. */
export const noticesEn = {
  andMore: (count: number) => `and ${count} more`,
};

export const noticesZh: typeof noticesEn = {
  andMore: (count) => `以及另外 ${count} 个`,
};
