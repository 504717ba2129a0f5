export const addressBanner = {
  label: '地址不一致',
  differs: '链接以 {{links}} 开头。',
  local: '只有运行 Pixdock 的电脑才能打开这些链接。你当前使用的地址是 {{page}}。',
  other: '你当前使用的地址是 {{page}}。请选择其他人能访问的地址。',
  fixed: '图片链接的地址由 PIXDOCK_BASE_URL 设定，请修改该变量。',
  use: '使用此地址',
  keep: '保持不变',
  useTitle: '让链接以 {{page}} 开头？',
  useText: '此后复制的链接都以 {{page}} 开头。只要 {{links}} 仍指向此服务器，已经发出的链接就继续有效。',
};
