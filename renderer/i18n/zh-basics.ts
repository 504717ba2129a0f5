/** Texts that the light pages and the application share. */
export const app = {
  tagline: '上传图片，即得链接。',
  notFound: '页面不存在',
  notFoundHint: '页面可能已移动，或地址有误。',
  crashed: '页面出错了',
  toPictures: '前往我的图片',
  reload: '重新加载',
  skip: '跳至主要内容',
};

export const common = {
  cancel: '取消',
  close: '关闭',
  done: '完成',
  delete: '删除',
  retry: '重试',
  loading: '正在加载…',
  optional: '{{label}}（可选）',
};

export const auth = {
  signIn: '登录',
  signInTo: '登录 {{site}}',
  login: '用户名或邮箱',
  password: '密码',
  ended: '登录已失效。重新登录后可继续刚才的操作。',
  uploadsWait_other: '有 {{count}} 张图片等待上传。',
  setupTitle: '设置你的 Pixdock 服务器',
  setupIntro: '创建你的管理账户，之后由你管理整个站点。',
  username: '用户名',
  email: '邮箱',
  passwordHint: '至少 10 个字符',
  siteName: '站点名称',
  setupCode: '安装码',
  setupCodeHint: '显示在运行 Pixdock 的电脑的终端或日志中，用来证明你有权进行设置。',
  create: '创建账户',
  show: '显示密码',
  or: '或',
  sso: '使用 SSO 登录',
  noAccount: '创建账户',
  haveAccount: '已有账户？登录',
  registerTitle: '加入 {{site}}',
  registerClosed: '目前不开放注册。请向管理员申请账户。',
  invite: '邀请码',
  inviteClosed: '此站点目前未开放邀请注册。请稍后再试，或联系发来链接的人。',
  oidc_no_email: {
    what: '身份提供商没有提供你的邮箱地址。',
    next: 'Pixdock 需要它来创建账户。请允许身份提供商提供邮箱，或请管理员为你创建账户。',
  },
  oidc_not_allowed: { what: '你在这里没有账户。', next: '请管理员为你创建账户，或将你的邮箱域名加入“允许的邮箱域名”。' },
  oidc_email_taken: {
    what: '这里已有其他账户使用你的邮箱地址。',
    next: '如果那是你的账户，请用密码登录，然后在“设置 → 账户”中关联 SSO，或请管理员验证该账户的邮箱地址。',
  },
  oidc_link_first: {
    what: '你的邮箱地址属于一个管理员账户。',
    next: '如果那是你的账户，请用密码登录，然后在“设置 → 账户”中关联 SSO，之后即可使用 SSO 登录。',
  },
  oidc_linked_elsewhere: {
    what: '此 SSO 身份已关联这里的其他账户。',
    next: '请登录那个账户并在“设置 → 账户”中取消关联，或在身份提供商中选择其他身份。',
  },
  oidc_disabled: { what: '你的账户已被停用。', next: '请管理员重新启用。' },
  oidc_unreachable: { what: '身份提供商没有响应。', next: '请稍后再试，或使用密码登录。如果问题仍然存在，请联系管理员。' },
  oidc_failed: { what: 'SSO 登录未成功。', next: '请再试一次。如果问题仍然存在，请联系管理员：服务器日志中记录了原因。' },
};

export const viewer = {
  label: '图片',
  previous: '上一张',
  next: '下一张',
  zoomIn: '放大',
  zoomOut: '缩小',
  play: '开始播放幻灯片',
  pause: '暂停播放幻灯片',
  interval: '每张图片的显示时间',
  seconds_other: '{{count}} 秒',
  fullScreen: '全屏',
  leaveFullScreen: '退出全屏',
  details: '详情',
  download: '下载',
  position: '第 {index} 张，共 {total} 张',
  positionOfMore: '第 {index} 张，总数超过 {total} 张',
  carousel: '图片',
  slide: '图片',
  gone: '图片不存在',
  goneHint: '图片可能已被删除，或链接有误。已删除或过期的图片会在回收站保留 {{count}} 天。',
  lookInTrash: '打开回收站',
};

export const links = {
  share: '分享…',
  qr: '二维码',
  qrOf: '{{url}} 的二维码',
  title: '链接',
  url: 'URL',
  markdown: 'Markdown',
  html: 'HTML',
  bbcode: 'BBCode',
  thumbnail: '缩略图',
  copy: '复制',
  copyAs: '复制 {{format}}',
  copied: '已复制',
  copiedLinks_other: '已复制 {{count}} 个链接',
  privateHint: '这张图片仅自己可见，其他人无法打开链接。',
  somePrivateHint_other: '其中 {{count}} 张图片仅自己可见，其他人无法打开链接。',
  byHandTitle: '手动复制',
  byHandText: '浏览器阻止了对剪贴板的访问。文字已选中，请按 {{keys}} 复制。',
  byHandLabel: '要复制的文字',
};

/** How hard a new password is to guess. */
export const password = { weak: '太容易被猜到', fair: '一般', good: '良好', strong: '很强' };
