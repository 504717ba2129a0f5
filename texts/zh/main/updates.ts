import type { updates as english } from '#texts/en/main/updates.ts';

export const updates: typeof english = {
  checkForUpdates: '检查更新…',
  upToDate: (version) => `Pixdock ${version} 已是最新版本。`,
  updateAvailable: (version) => `有新版本 Pixdock ${version}。`,
  downloadUpdate: '下载',
  updateReady: (version) => `Pixdock ${version} 将在你退出 Pixdock 时安装。`,
  quitToUpdate: '退出并安装',
  later: '稍后',
  updateFailed: '无法更新 Pixdock',
};
