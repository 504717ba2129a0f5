export const connection = {
  lost: '无法连接 Pixdock。',
  trying: '正在重新连接…',
  retry: '立即重试',
};
