import type { tray as english } from '#texts/en/main/tray.ts';

export const tray: typeof english = {
  openPixdock: '打开 Pixdock',
  uploadClipboard: '上传剪贴板',
  uploadFiles: '上传文件…',
  copyAddress: (address) => `复制地址：${address}`,
  serviceStarting: '正在启动…',
  serviceDown: (detail) => `Pixdock 服务未运行：${detail}`,
  problems: {
    port_in_use: '端口已被其他程序占用',
    port_forbidden: '系统不允许使用该端口',
    no_answer: '没有及时响应',
    hung: '已停止响应',
    ended: '意外退出',
    data_folder: '无法使用数据文件夹',
    failed: '启动失败',
  },
  retry: '重试',
  dismiss: '清除',
  recentUploads: '最近上传',
  noUploads: '暂无上传记录',
  linkFormat: '链接格式',
  linkFormats: { url: 'URL', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode', custom: '自定义' },
  shortcutTaken: (keys) => `快捷键 ${keys} 已被占用`,
  stillRunningTitle: 'Pixdock 仍在运行',
  stillRunningBody: '链接继续有效。要退出 Pixdock，请使用托盘图标。',
};
