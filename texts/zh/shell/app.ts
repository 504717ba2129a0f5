export const app = {
  tagline: '上传图片，即得链接。',
  notFound: '页面不存在',
  notFoundHint: '页面可能已移动，或地址有误。',
  toPictures: '前往我的图片',
  skip: '跳至主要内容',
};
