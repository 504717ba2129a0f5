/** Texts about starting and quitting. */
export const startupEn = {
  more: 'More',
  startAtLogin: 'Start at login',
  startAtLoginFailed: 'Couldn’t change “Start at login”',
  keptTitle: (count: number) => (count === 1 ? '1 upload will continue' : `${count} uploads will continue`),
  keptBody: (count: number) => `${count === 1 ? 'It’ll' : 'They’ll'} be sent the next time Pixdock starts.`,
};

export const startupZh: typeof startupEn = {
  more: '更多',
  startAtLogin: '登录系统时启动',
  startAtLoginFailed: '无法更改“登录系统时启动”',
  keptTitle: (count) => `还有 ${count} 张图片未上传`,
  keptBody: () => '下次启动 Pixdock 后会继续上传。',
};
