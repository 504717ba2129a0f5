export const preferences = {
  colours: '主题',
  light: '浅色',
  dark: '深色',
  system: '跟随系统',
  language: '语言',
  languageAuto: '跟随浏览器',
  linkFormat: '链接格式',
  linkFormatHint: '复制链接和上传完成时使用的格式。',
  copyAfterUpload: '上传后复制链接',
  copyAfterUploadHint: '如果浏览器禁止自动复制，请点击“复制”。',
  stored: '这些设置保存在此浏览器中。',
};
