/** Texts about the first launch, and about joining another Pixdock. */
export const joiningEn = {
  chooseNewDataFolder: 'Choose a folder for your pictures',
  chooseDataFolder: 'Choose the data folder of a Pixdock',
  hostUnreachable: 'The joined Pixdock isn’t responding. Uploads wait until it’s back.',
  tokenRevoked: 'The joined Pixdock no longer accepts uploads from this computer. Open Pixdock and connect again.',
  /** In the tray. */
  joinedTo: (name: string) => `Connected to ${name}`,
  hostWaiting: (name: string) => `${name} isn’t responding`,
  hostRefuses: (name: string) => `${name} no longer accepts uploads`,
  connectAgain: 'Connect again…',
  openHost: (name: string) => `Open ${name}`,
  leaveQuestion: (name: string) => `Leave ${name}?`,
  leaveHint: 'Your pictures there stay, and their links keep working. Pixdock restarts and asks what to do next.',
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
  hostUnreachable: '已加入的 Pixdock 没有响应，上传会在它恢复后继续。',
  tokenRevoked: '已加入的 Pixdock 不再接受本机上传。请打开 Pixdock 重新连接。',
  joinedTo: (name) => `已连接到 ${name}`,
  hostWaiting: (name) => `${name} 没有响应`,
  hostRefuses: (name) => `${name} 不再接受本机上传`,
  connectAgain: '重新连接…',
  openHost: (name) => `打开 ${name}`,
  leaveQuestion: (name) => `断开与 ${name} 的连接？`,
  leaveHint: '你在那里的图片会保留，链接继续有效。Pixdock 将重新启动，并询问接下来的用途。',
  leaveUploads: (count) => `还有 ${count} 张图片没有上传，它们将被放弃。`,
  leave: '断开连接',
  stay: '取消',
};
