export const address = {
  copiedLocal: '链接以 {{links}} 开头，只有运行 Pixdock 的电脑才能打开。请让管理员更改图片链接的地址。',
  copiedOther: '链接以 {{links}} 开头，这不是你当前使用的地址。其他人可能无法访问。',
  quiet: '不再显示',
};
