export const nav = {
  label: '主导航',
  pictures: '图片',
  albums: '相册',
  duplicates: '重复图片',
  sent: '收发',
  trash: '回收站',
  uploads: '上传记录',
  folders: '监视文件夹',
  settings: '设置',
  admin: '管理',
  upload: '上传',
  signOut: '退出登录',
  account: '账户',
  storage: '存储空间',
  usedOf: '已用 {{used}}，共 {{quota}}',
  used: '已用 {{used}}',
  shortcuts: '键盘快捷键',
};

export const connection = {
  lost: '无法连接 Pixdock。',
  trying: '正在重新连接…',
  retry: '立即重试',
};

/** 桌面应用上传的状态，显示在每个页面上。 */
export const desktopStatus = {
  running_other: '正在上传 {{count}} 张图片',
  waiting_other: '{{count}} 张图片等待上传',
  paused: '上传已暂停',
  show: '查看上传列表',
};
