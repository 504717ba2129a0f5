export const account = {
  username: '用户名',
  email: '邮箱',
  noEmail: '无',
  role: '角色',
  owner: '所有者',
  admin: '管理员',
  user: '成员',
  since: '加入时间',
};

export const access = {
  revokeTokens: '同时吊销全部 API 令牌',
  revokeTokensHint: '代你上传的程序会停止工作，换用新令牌后才能继续。',
  end: '全部退出登录并吊销令牌',
  endHint: '丢失了设备，或怀疑他人能访问你的账户？请让其他设备全部退出登录并吊销全部令牌，然后更改密码。',
  endTitle: '让其他设备全部退出登录，并吊销全部令牌？',
  endText: '除当前会话外，其他设备和浏览器都会退出登录，全部 API 令牌也会被吊销：程序、脚本和已连接的设备需要新令牌。',
  ended: '其他设备已退出登录，全部令牌已吊销',
};

export const accountDeletion = {
  title: '删除账户',
  hint: '你的图片链接会失效，图片将在 {{days}} 天后永久删除。',
  question: '删除你的账户？',
  text: '你会在所有设备上退出登录，令牌立即失效，已连接的设备随即断开，你的图片和相册无法再打开。图片将在 {{days}} 天后永久删除，在此之前管理员可以恢复。',
  export: '如需保留图片，请先下载你的数据。',
  done: '你的账户已删除',
};

export const avatar = {
  title: '头像',
  hint: '只有登录的用户可以看到。',
};

export const profile = {
  edit: '更改',
  save: '保存',
  saved: '已保存',
  usernameTitle: '更改用户名',
  emailTitle: '更改邮箱',
  emailHint: '也可以用它登录。',
  currentPassword: '当前密码',
  recentSignIn: '你的账户没有密码，只有在最近 {{minutes}} 分钟内登录过，才能执行此操作。',
  signInAgain: '重新登录',
  newPassword: '新密码',
  password: '密码',
  passwordHint: '更改后，其他设备和浏览器会退出登录。',
  passwordTitle: '更改密码',
  noPasswordHint: '你的账户没有密码。设置密码后，也可以用密码登录，例如在其他设备上。',
  passwordChanged: '密码已更改',
  export: '你的数据',
  exportHint: '一个 zip 文件，包含全部图片（含回收站）以及名称、标签和相册。',
  exportButton: '下载全部',
};

export const preferences = {
  colours: '主题',
  light: '浅色',
  dark: '深色',
  system: '跟随系统',
  language: '语言',
  languageAuto: '跟随浏览器',
  languageInApp: '跟随系统',
  linkFormat: '链接格式',
  linkFormatHint: '复制链接和上传完成时使用的格式。',
  copyAfterUpload: '上传后复制链接',
  copyAfterUploadHint: '如果无法自动复制，请点击“复制”。',
  orders: {
    uploaded_desc: '上传时间，新的在前',
    uploaded_asc: '上传时间，旧的在前',
    taken_desc: '拍摄时间，新的在前',
    taken_asc: '拍摄时间，旧的在前',
    name_asc: '名称',
    size_desc: '文件大小，大的在前',
  },
  density: '缩略图大小',
  densitySmall: '小',
  densityMedium: '中',
  densityLarge: '大',
  layout: '布局',
  grid: '网格',
  list: '列表',
  stored: '这些设置保存在此浏览器中。',
  storedInApp: '这些设置保存在本机上。',
};

export const settings = {
  title: '设置',
  sections: '设置分类',
  appearance: '外观',
  tokens: 'API 令牌',
  account: '账户',
};

export const uploads = {
  title: '上传',
  visibility: '默认可见性',
  visibilityHint: '新上传的图片默认对谁可见，上传时可另行选择。管理员可以看到所有图片。',
  album: '默认相册',
  albumHint: '上传时如未选择其他相册，新图片会放入此相册。',
  copyright: '保留作者和版权信息',
  copyrightHint: '仅对新图片生效，其他元数据仍会移除。能打开图片的人都能读取这两项。',
  text: '识别我的图片中的文字',
  textHint: '识别后可以搜索和复制图中的文字。关闭后，已识别的文字会全部删除。',
  stored: '“每次上传前询问”“上传后复制链接”和“保存的上传选项”都保存在此浏览器中。其他设置属于你的账户，对所有代你上传的程序生效。',
  storedInApp: '“每次上传前询问”“上传后复制链接”和“保存的上传选项”都保存在本机上。其他设置属于你的账户，对所有代你上传的程序生效。',
  rememberInApp: '此窗口中的所有上传都使用这些选项',
  keptHint: '应用于从此浏览器上传的所有图片。',
  keptHintInApp: '应用于从此窗口上传的所有图片。',
  storage: '存储空间',
  storageHint: '包括回收站中的图片。',
  limits: '上传限制',
  largest: '单个文件大小上限',
  largestVideo: '单个视频大小上限',
  longestVideo: '单个视频时长上限',
  formats: '格式',
  rate: '每分钟上传数',
  hourly: '每小时上传数',
  daily: '每天上传数',
  longest: '链接最长有效期',
  unlimited: '不限',
};
