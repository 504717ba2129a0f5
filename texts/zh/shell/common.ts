export const common = {
  cancel: '取消',
  close: '关闭',
  done: '完成',
  delete: '删除',
  retry: '重试',
  loading: '正在加载…',
  optional: '{{label}}（可选）',
  typeName: '请输入“{{name}}”以确认',
  typeNameWrong: '与名称不一致。',
};

export const app = {
  tagline: '上传图片，即得链接。',
  notFound: '页面不存在',
  notFoundHint: '页面可能已移动，或地址有误。',
  toPictures: '前往我的图片',
  skip: '跳至主要内容',
};

export const opens = {
  private: '仅自己',
  computer: '仅这台电脑',
  network: '同一网络中的任何人',
  internet: '知道链接的任何人',
  sentence: '{{who}}可以打开',
  sentences: '{{who}}可以打开',
};

export const publicPages = {
  toPictures: '我的图片',
  signIn: '登录',
};

export const links = {
  share: '分享…',
  shared: '链接已分享',
  qr: '二维码',
  qrOf: '{{url}} 的二维码',
  title: '链接',
  url: 'URL',
  markdown: 'Markdown',
  markdown_linked: '带链接的 Markdown',
  html: 'HTML',
  html_responsive: '自适应 HTML',
  bbcode: 'BBCode',
  thumbnail: '缩略图',
  share_page: '分享页面',
  copy: '复制',
  copyAs: '复制“{{format}}”',
  copied: '已复制',
  copiedLinks_other: '已复制 {{count}} 个链接',
  privateHint: '这张图片仅自己可见，其他人无法打开链接。',
  somePrivateHint_other: '其中 {{count}} 张图片仅自己可见，其他人无法打开链接。',
  byHandTitle: '手动复制',
  byHandText: '浏览器阻止了对剪贴板的访问。文字已选中，请按 {{keys}} 复制。',
  byHandLabel: '要复制的文字',
};
