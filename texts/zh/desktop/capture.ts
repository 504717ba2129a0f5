import type { capture as english } from '#texts/en/desktop/capture.ts';
import type { Translated } from '#texts/translated.ts';

export const capture: Translated<typeof english> = {
  shortcut: '截图快捷键',
  shortcutHint: '选取屏幕的一部分，上传后自动复制链接。',
  shortcutUnchecked:
    '在 Wayland 下，应用无法得知快捷键是否生效。桌面环境可能会询问是否允许此快捷键。如果按下后没有反应，请使用下面的命令。',
  shortcutUnsupported: '此桌面环境不允许应用在 Wayland 下使用快捷键。请改用下面的命令。',
  command: '也可以在系统设置中为此命令指定快捷键：',
  commandWayland: '请在系统设置中为此命令指定快捷键：',
  copyCommand: '复制 {{command}}',
  clipboardPrograms:
    '在 Wayland 下，其他窗口处于焦点时，Pixdock 需要软件包 wl-clipboard 才能上传剪贴板和复制链接。请用系统的软件管理器安装。',
  watch: '上传复制的图片',
  watchHint: '自动上传你复制的每张图片（如截图），并将剪贴板内容替换为链接。复制的文件和文字不受影响。',
  watchUnavailable: 'Wayland 不允许后台应用监视剪贴板。请改用上面的命令。',
  links: '链接',
  linksHint: 'Pixdock 复制链接时使用的格式。如果图片有浏览次数上限，链接会指向分享页面。',
  customLink: '自定义',
  template: '模板',
  templateHint: '可用的占位符：{{placeholders}}。要输入一个左花括号，请连续输入两个。',
  templateEmpty: '请输入模板。',
  unknownPlaceholders: '未知的占位符：{{unknown}}',
  separator: '链接分隔符',
  separators: { newline: '换行', space: '空格', comma: '逗号' },
  preview: '预览',
};
