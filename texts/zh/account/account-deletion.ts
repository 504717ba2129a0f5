export const accountDeletion = {
  title: '删除账户',
  hint: '你的图片链接会失效，图片将在 {{days}} 天后永久删除。',
  question: '删除你的账户？',
  text: '你会在所有设备上退出登录，令牌立即失效，已连接的设备随即断开，你的图片和相册无法再打开。图片将在 {{days}} 天后永久删除，在此之前管理员可以恢复。',
  export: '如需保留图片，请先下载你的数据。',
  recent: '你的账户没有密码，只有在最近 {{minutes}} 分钟内登录过，才能删除账户。',
  signInAgain: '重新登录',
  done: '你的账户已删除',
};
