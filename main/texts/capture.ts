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
};

export const captureZh: typeof captureEn = {
  captureScreen: '截图并上传',
  showDropWindow: '显示拖放窗口',
  dropWindow: '拖放图片',
  captureTitle: '无法截图',
  captureOpen: '正在截图，请先完成或取消。',
  captureMissing: '没有找到截图程序。请安装 gnome-screenshot、Spectacle、Flameshot，或 grim 和 slurp。',
  captureFailed: '截图失败。',
};
