/** Texts about the first launch, and about joining another Pixdock server. */
export const joiningEn = {
  chooseNewDataFolder: 'Choose a folder for your pictures',
  chooseDataFolder: 'Choose a Pixdock data folder',
  hostUnreachable: 'The Pixdock server isn’t responding. Uploads will continue when it’s back.',
  hostDiffers: 'A different Pixdock server is responding at your server’s address. Uploads will continue when your server is back.',
  tokenRevoked: 'The Pixdock server no longer accepts uploads from this computer. Open Pixdock and connect again.',
  /** In the tray. */
  joinedTo: (name: string) => `Connected to ${name}`,
  hostWaiting: (name: string) => `${name} isn’t responding`,
  hostRefuses: (name: string) => `${name} no longer accepts uploads`,
  connectAgain: 'Connect again…',
  openHost: (name: string) => `Open ${name}`,
  leaveQuestion: (name: string) => `Leave ${name}?`,
  leaveHint: 'Your pictures stay on the server, and their links keep working. Pixdock will restart and ask what to do next.',
  leaveUploads: (count: number) =>
    count === 1
      ? 'One picture hasn’t been uploaded yet. It will be discarded.'
      : `${count} pictures haven’t been uploaded yet. They will be discarded.`,
  leave: 'Leave',
  stay: 'Cancel',
};

export const joiningZh: typeof joiningEn = {
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
