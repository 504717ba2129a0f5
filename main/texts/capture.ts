/** Texts about capturing the screen, the clipboard and shortcuts. */
export const captureEn = {
  captureScreen: 'Capture and upload',
  showDropWindow: 'Show drop window',
  dropWindow: 'Drop pictures',
  captureTitle: 'Couldn’t capture the screen',
  captureOpen: 'A capture is already open. Finish or cancel it first.',
  captureMissing: 'No screenshot program was found. Install gnome-screenshot, Spectacle, Flameshot, or grim and slurp.',
  /** Followed by the reasons. */
  captureFailed: 'Couldn’t take the screenshot.',
  clipboardPrograms:
    'Under Wayland, Pixdock needs wl-clipboard to read the clipboard while another window has the focus. Install the package wl-clipboard and try again.',
  screenNotAllowed:
    'macOS doesn’t let Pixdock record the screen yet. Allow it under System Settings → Privacy & Security → Screen & System Audio Recording, then quit Pixdock and open it again.',
  openSystemSettings: 'Open System Settings',
};

export const captureZh: typeof captureEn = {
  captureScreen: '截图并上传',
  showDropWindow: '显示拖放窗口',
  dropWindow: '拖放图片',
  captureTitle: '无法截图',
  captureOpen: '正在截图，请先完成或取消。',
  captureMissing: '没有找到截图程序。请安装 gnome-screenshot、Spectacle、Flameshot，或 grim 和 slurp。',
  captureFailed: '截图失败。',
  clipboardPrograms: '在 Wayland 下，其他窗口处于焦点时，Pixdock 需要 wl-clipboard 才能读取剪贴板。请安装软件包 wl-clipboard，然后重试。',
  screenNotAllowed: 'macOS 还没有允许 Pixdock 录制屏幕。请在“系统设置 → 隐私与安全性 → 录屏与系统录音”中允许，然后退出并重新打开 Pixdock。',
  openSystemSettings: '打开系统设置',
};
