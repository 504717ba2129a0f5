export const dashboard = {
  period: '时间范围',
  days_other: '{{count}} 天',
  images: '图片（不含回收站）',
  stored: '已用存储空间',
  views: '浏览次数',
  viewsIn: '最近 {{days}} 天的浏览次数',
  people: '用户',
  uploads: '上传次数',
  storage: '存储空间',
  most: '存储占用最多的用户',
  mostHint: '包括回收站；不同用户的相同图片分别计算。文件实际占用的磁盘空间见“系统”中的“空间占用”，相同的图片在那里只保存一份。',
  uploadCount_other: '上传 {{formatted}} 次',
};
