import { accountZh } from './account.ts';
import { captureZh } from './capture.ts';
import { dataZh } from './data.ts';
import type { Texts } from './en.ts';
import { foldersZh } from './folders.ts';
import { joiningZh } from './joining.ts';
import { lanZh } from './lan.ts';
import { noticesZh } from './notices.ts';
import { refusalsZh } from './refusals.ts';
import { startupZh } from './startup.ts';
import { uploadsZh } from './uploads.ts';
import { windowsZh } from './windows.ts';

export const zh: Texts = {
  ...accountZh,
  ...captureZh,
  ...noticesZh,
  ...startupZh,
  ...uploadsZh,
  ...lanZh,
  ...windowsZh,
  ...dataZh,
  ...foldersZh,
  ...joiningZh,
  openPixdock: '打开 Pixdock',
  quit: '退出 Pixdock',
  quitQuestion: '仍有图片正在上传，确定退出吗？',
  keepUploading: '继续上传',
  quitAnyway: '退出',
  uploadClipboard: '上传剪贴板',
  uploadFiles: '上传文件…',
  copyFailed: '无法复制链接',
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
  shortcutRefused: (keys) => `${keys} 已被占用。请在“设置 → 本机”中换一个快捷键。`,
  uploadedTitle: (count) => (count === 1 ? '链接已复制' : `已复制 ${count} 个链接`),
  uploadedWithoutCopy: (count) => `已上传 ${count} 张图片`,
  pressToCopy: '点击此处复制链接。',
  failedTitle: (count) => `${count} 张图片上传失败`,
  nothingTitle: '没有可上传的内容',
  clipboardEmpty: '剪贴板中没有图片。请复制一张后重试。',
  severalForOneName: '一次只能为一张图片命名。请只复制一个文件，或不指定名称。',
  albumMissing: '没有名称或 ID 与此相符的相册。',
  clipboardSilent: '未能及时读取剪贴板，请重试。',
  stillRunningTitle: 'Pixdock 仍在运行',
  stillRunningBody: '链接继续有效。要退出 Pixdock，请使用托盘图标。',
  choosePictures: '选择要上传的图片',
  pictures: '图片',
  allFiles: '所有文件',
  notAFile: '这是文件夹或设备，不是图片。',
  fileMissing: '文件已不存在。',
  fileUnreadable: '没有权限读取该文件。',
  fileChanged: '上传过程中文件被更改，请重试。',
  wasDiscarded: '上传已取消。',
  stillUploading: '上传耗时比平时长，Pixdock 会在后台继续上传。完成后可在托盘菜单的“最近上传”中找到链接。',
  checkForUpdates: '检查更新…',
  upToDate: (version) => `Pixdock ${version} 已是最新版本。`,
  updateAvailable: (version) => `有新版本 Pixdock ${version}。`,
  downloadUpdate: '下载',
  updateReady: (version) => `Pixdock ${version} 将在你退出 Pixdock 时安装。`,
  quitToUpdate: '退出并安装',
  later: '稍后',
  updateFailed: '无法更新 Pixdock',
  serviceUnreachable: 'Pixdock 服务没有响应，请在服务运行后重试。',
  refusals: refusalsZh,
};
