import type { joining as english } from '#texts/en/main/joining.ts';

export const joining: typeof english = {
  chooseNewDataFolder: '选择存放图片的文件夹',
  chooseDataFolder: '选择 Pixdock 的数据文件夹',
  hostUnreachable: 'Pixdock 服务器没有响应，恢复后会继续上传。',
  hostDiffers: '该地址现在属于另一台 Pixdock 服务器。原来的服务器恢复后会继续上传。',
  tokenRevoked: 'Pixdock 服务器不再接受本机上传。请打开 Pixdock 重新连接。',
  joinedTo: (name) => `已连接到 ${name}`,
  hostWaiting: (name) => `${name} 没有响应`,
  hostRefuses: (name) => `${name} 不再接受本机上传`,
  connectAgain: '重新连接…',
  openHost: (name) => `打开 ${name}`,
  leaveQuestion: (name) => `断开与 ${name} 的连接？`,
  leaveHint: '你在该服务器上的图片会保留，链接继续有效。Pixdock 将重新启动，并让你重新选择这台电脑的用途。',
  leaveUploads: (count) => `还有 ${count} 张图片没有上传。断开后将取消上传，其中来自剪贴板的图片会丢失。`,
  leave: '断开连接',
  stay: '取消',
};
