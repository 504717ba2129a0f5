export const text = {
  title: '图中文字',
  copyAll: '复制全部文字',
  remove: '删除文字',
  removed: '文字已删除，图片本身没有变化。',
  waiting: '尚未识别文字。',
  failed: '无法识别文字。',
  useAsAlt: '使用图中文字',
};
