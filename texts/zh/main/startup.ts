import type { startup as english } from '#texts/en/main/startup.ts';

export const startup: typeof english = {
  cantStart: 'Pixdock 无法启动',
  newerJournal: '上传列表由较新版本的 Pixdock 保存，当前版本无法读取。请重新安装较新的版本。',
  usualFolderOnNetwork: '默认的数据文件夹位于网络共享文件夹中，数据库可能会损坏。请在“选项…”中选择本机磁盘上的文件夹。默认文件夹：',
  more: '更多',
  startAtLogin: '登录系统时启动',
  startAtLoginFailed: '无法更改“登录系统时启动”',
  startAtLoginRefused: '系统拒绝了更改。请在系统的登录项设置中更改。',
  startAtLoginBlockedTitle: 'Pixdock 暂时无法在登录系统时启动',
  startAtLoginBlocked: {
    darwin: '请在“系统设置 → 通用 → 登录项”中允许。',
    win32: '请在“设置 → 应用 → 启动”中允许。',
  },
  quitting: '正在退出…',
  startsAgain: '稍后重新启动…',
  keptTitle: (count) => `还有 ${count} 张图片未上传`,
  keptBody: () => '下次启动 Pixdock 后会继续上传。',
  quit: '退出 Pixdock',
  quitQuestion: '仍有图片正在上传，确定退出吗？',
  keepUploading: '继续上传',
  quitAnyway: '退出',
};
