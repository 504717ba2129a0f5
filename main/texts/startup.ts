/** Texts about starting and quitting. */
export const startupEn = {
  cantStart: 'Pixdock can’t start',
  newerJournal: 'The list of uploads was saved by a newer version of Pixdock. Install that version again.',
  usualFolderOnNetwork:
    'The usual data folder is on a network share, where the database can be damaged. Under Options…, choose a folder on a local disk. The usual one:',
  more: 'More',
  startAtLogin: 'Start at login',
  startAtLoginFailed: 'Couldn’t change “Start at login”',
  startAtLoginBlockedTitle: 'Pixdock can’t start at login yet',
  startAtLoginBlocked: {
    darwin: 'Allow it under System Settings → General → Login Items.',
    win32: 'Allow it under Settings → Apps → Startup.',
  } as Partial<Record<NodeJS.Platform, string>>,
  /** In the tray. */
  quitting: 'Quitting…',
  startsAgain: 'Starting again in a moment…',
  keptTitle: (count: number) => (count === 1 ? '1 upload will continue' : `${count} uploads will continue`),
  keptBody: (count: number) => `${count === 1 ? 'It’ll' : 'They’ll'} be sent the next time Pixdock starts.`,
};

export const startupZh: typeof startupEn = {
  cantStart: 'Pixdock 无法启动',
  newerJournal: '上传列表由较新版本的 Pixdock 保存，当前版本无法读取。请重新安装较新的版本。',
  usualFolderOnNetwork: '默认的数据文件夹位于网络共享文件夹中，数据库可能会损坏。请在“选项…”中选择本机磁盘上的文件夹。默认文件夹：',
  more: '更多',
  startAtLogin: '登录系统时启动',
  startAtLoginFailed: '无法更改“登录系统时启动”',
  startAtLoginBlockedTitle: 'Pixdock 暂时无法在登录系统时启动',
  startAtLoginBlocked: {
    darwin: '请在“系统设置 → 通用 → 登录项”中允许。',
    win32: '请在“设置 → 应用 → 启动”中允许。',
  },
  quitting: '正在退出…',
  startsAgain: '稍后重新启动…',
  keptTitle: (count) => `还有 ${count} 张图片未上传`,
  keptBody: () => '下次启动 Pixdock 后会继续上传。',
};
