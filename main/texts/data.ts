/** Texts about the data folder. */
export const dataEn = {
  dataStaysTitle: 'Your pictures stay where they are',
  dataStays: (folder: string, usual: string) =>
    `By default, Pixdock now keeps its data in ${usual}. Your data is still in ${folder}, because the new folder is in use or on another disk.`,
  backupFaultTitle: 'Your latest automatic backup can’t be restored',
};

export const dataZh: typeof dataEn = {
  dataStaysTitle: '你的图片保留在原处',
  dataStays: (folder, usual) =>
    `Pixdock 的默认数据文件夹已改为 ${usual}。新文件夹已被使用，或位于另一块磁盘，因此 Pixdock 仍使用你原来的数据文件夹 ${folder}。`,
  backupFaultTitle: '最近一次自动备份无法还原',
};
