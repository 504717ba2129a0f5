import type { capture as english } from '#texts/en/main/capture.ts';

export const capture: typeof english = {
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
  shortcutRefused: (keys) => `${keys} 已被占用。请在“设置 → 本机”中换一个快捷键。`,
  clipboardEmpty: '剪贴板中没有图片。请复制一张后重试。',
  severalForOneName: '一次只能为一张图片命名。请只复制一个文件，或不指定名称。',
  clipboardSilent: '未能及时读取剪贴板，请重试。',
};
