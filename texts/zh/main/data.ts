import type { data as english } from '#texts/en/main/data.ts';

export const data: typeof english = {
  dataStaysTitle: '你的图片保留在原处',
  dataStays: (folder, usual) =>
    `Pixdock 的默认数据文件夹已改为 ${usual}。新文件夹已被使用，或位于另一块磁盘，因此 Pixdock 仍使用你原来的数据文件夹 ${folder}。`,
  backupFaultTitle: '最近一次自动备份无法还原',
};
