import type {
  account as enAccount,
  data as enData,
  joining as enJoining,
  lan as enLan,
  reach as enReach,
  startup as enStartup,
  updates as enUpdates,
  windows as enWindows,
} from '#texts/en/main/app.ts';
import { opened } from '#texts/zh/pictures.ts';
import { opens } from '#texts/zh/shell/common.ts';

export const reach: typeof enReach = {
  opens: (who, count = 1) => (count === 1 ? opens.sentence : opens.sentences).replace('{{who}}', opens[who]),
  onlyYou: opens.private,
  shareNow: opened.shareNow,
  linkCopiedAgain: opened.shared,
  shareFailed: '无法共享链接',
  openPicture: '打开图片',
  notNow: '暂不',
};

export const startup: typeof enStartup = {
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

export const account: typeof enAccount = {
  uploadsAs: (name) => `上传到 ${name} 的账户`,
  accountMissing: '上传所用的账户已停用或不存在。请在“设置 → 本机 → 系统”中选择其他账户。',
  accountMissingLabel: '暂时无法上传：所用账户已停用或被删除',
};

export const data: typeof enData = {
  dataStaysTitle: '你的图片保留在原处',
  dataStays: (folder, usual) =>
    `Pixdock 的默认数据文件夹已改为 ${usual}。新文件夹已被使用，或位于另一块磁盘，因此 Pixdock 仍使用你原来的数据文件夹 ${folder}。`,
  dataFolderIsFixed: '数据文件夹由环境变量 PIXDOCK_DATA_DIR 指定。请在那里更改。',
  dataFolderNotEmpty: '此文件夹中有其他文件。请选择空文件夹：',
  dataFolderNotWritable: '没有写入此文件夹的权限。请选择其他文件夹：',
  dataFolderOnNetwork: '此文件夹位于网络共享中，数据库可能会损坏。请选择本机磁盘上的文件夹：',
  backupFaultTitle: '最近一次自动备份无法还原',
};

export const joining: typeof enJoining = {
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

export const lan: typeof enLan = {
  lanOff: '未在此网络上共享',
  lanStarting: '正在开启网络共享…',
  lanNoNetwork: '未连接网络',
  lanUnconfirmed: '已在此网络上共享，还没有其他设备打开过',
  lanUnreached: '已在此网络上共享，但其他设备可能无法访问',
  lanReached: (by) => `已在此网络上共享，${by} 已成功访问`,
  lanMissing: (host) => `链接失效：本机已没有地址 ${host}`,
  lanShare: '在此网络上共享',
  lanCode: '显示二维码…',
  hostIsFixed: '环境变量 PIXDOCK_HOST 决定谁可以打开 Pixdock。请在那里更改。',
  noNetworkToShare: '这台电脑未连接到网络。连接后即可共享链接。',
  choosePort: '更换端口…',
  linksStartElsewhere: '链接使用的地址请在“管理 → 设置”的“图片链接的地址”中更改。',
  portIsBlocked: '此端口属于其他服务，浏览器会拒绝打开。请换一个端口。',
  portIsTaken: '该端口已被其他程序占用，请换一个。',
  notAHost: '请填写主机名或 IPv4 地址，不含 http:// 和端口。',
  portIsFixed: '端口由环境变量 PIXDOCK_PORT 指定，请修改该变量。',
  localNetworkBlocked: 'macOS 可能没有允许 Pixdock 访问本地网络。请在“系统设置 → 隐私与安全性 → 本地网络”中允许。',
};

export const updates: typeof enUpdates = {
  checkForUpdates: '检查更新…',
  upToDate: (version) => `Pixdock ${version} 已是最新版本。`,
  updateAvailable: (version) => `有新版本 Pixdock ${version}。`,
  downloadUpdate: '下载',
  updateReady: (version) => `Pixdock ${version} 将在你退出 Pixdock 时安装。`,
  quitToUpdate: '退出并安装',
  later: '稍后',
  updateFailed: '无法更新 Pixdock',
};

export const windows: typeof enWindows = {
  noTrayTitle: 'Pixdock 仍在运行',
  noTrayBody: '此桌面环境不显示托盘图标，因此关闭窗口时只会最小化。要退出 Pixdock，请在窗口中按 Ctrl+Q。',
  openSettings: '设置…',
  theme: '主题',
  themes: { system: '跟随系统', light: '浅色', dark: '深色' },
  language: '语言',
  languages: { system: '跟随系统', en: 'English', zh: '简体中文' },
  menuFile: '文件',
  menuEdit: '编辑',
  menuView: '查看',
  menuWindow: '窗口',
  menuHelp: '帮助',
  closeWindow: '关闭窗口',
  about: '关于 Pixdock',
  services: '服务',
  hide: '隐藏 Pixdock',
  hideOthers: '隐藏其他',
  showAll: '全部显示',
  minimize: '最小化',
  zoomWindow: '缩放',
  bringToFront: '前置全部窗口',
  undo: '撤销',
  redo: '重做',
  cut: '剪切',
  copy: '复制',
  paste: '粘贴',
  selectAll: '全选',
  reload: '重新加载',
  actualSize: '实际大小',
  zoomIn: '放大',
  zoomOut: '缩小',
  fullScreen: '全屏',
  openLogFolder: '打开日志文件夹',
  copyPicture: '复制图片',
  copyPictureAddress: '复制图片地址',
  savePicture: '图片另存为…',
  copyLinkAddress: '复制链接地址',
  pageCrashes: 'Pixdock 的窗口反复崩溃',
  pageCrashesDetail: '上传和链接不受影响。你可以重新加载窗口，或先关闭窗口，稍后再打开。',
};
