export const views = {
  title: '浏览统计',
  intro: '最近 30 天其他人浏览你的图片的次数，以及来自哪些网站。',
  total_other: '最近 {{days}} 天共 {{formatted}} 次浏览',
  none: '最近 {{days}} 天没有浏览记录。其他人打开你的链接后，浏览次数会显示在这里。',
  pictures: '浏览最多的图片',
  sources: '来源网站',
  noSources: '暂无',
  sourcesHint: '只记录网站名称。没有来源信息的浏览（例如来自聊天消息和应用）不会列出。',
  sourcesOff: '管理员已关闭来源网站统计。',
  otherHosts: '其他网站',
  count_other: '{{formatted}} 次',
  mostlyFrom: '主要来自 {{host}}',
};

export const hidden = {
  title_other: '打开此相册的人看不到其中 {{count}} 张图片',
  marked: '它们在下方以此图标标出。',
  private_other: '{{count}} 张设为“仅自己”',
  password_protected_other: '{{count}} 张受密码保护',
  view_limited_other: '{{count}} 张有浏览次数上限',
  expired_other: '{{count}} 张已过期，在你的回收站中',
};

export const text = {
  title: '图中文字',
  copyAll: '复制全部文字',
  remove: '删除文字',
  removed: '文字已删除，图片本身没有变化。',
  waiting: '尚未识别文字。',
  failed: '无法识别文字。',
  useAsAlt: '使用图中文字',
};

export const expiry = {
  toTrash: '此图片将于 {{date}} 移到你的回收站，链接同时失效。',
  toNothing: '此图片将于 {{date}} 永久删除。',
  hintTrash: '到期后，链接会失效，图片会移到你的回收站。',
  hintNothing: '到期后，链接会失效，图片会被永久删除。',
  exact: '指定日期和时间…',
  moment: '日期和时间（{{zone}}）',
  incomplete: '请输入日期和时间。',
  past: '这个时间已经过去，请选择更晚的时间。',
  late: '请选择早于 {{date}} 的时间。',
  set: '设置有效期',
  saved: '有效期已设置',
  removed: '有效期已取消',
  removedText: '链接不会再过期。',
  preference: '过期的图片',
  preferenceHint: '图片过期后，链接会失效。',
  keep: '移到回收站',
  delete: '永久删除',
  byGroup: '根据管理员的设置，过期的图片会被永久删除。',
};

export const duplicates = {
  title: '重复图片',
  find: '查找重复图片',
  intro: '这里列出重复存储或看起来相似的图片。选择要保留的图片，其余的会移到回收站。文件完全相同时，默认保留正在使用的那一张。',
  keys: '方向键移动，空格键切换保留与删除，回车键删除其余图片，D 键全部保留。',
  count_other: '{{formatted}} 组',
  waiting_other: '还有 {{formatted}} 张图片尚未比较，请过几分钟再来。',
  exact_other: '{{count}} 个相同的文件',
  alike_other: '{{count}} 张相似的图片',
  keep: '保留 {{name}}',
  kept: '保留',
  dropped: '删除',
  openOne: '打开 {{name}}',
  delete_other: '删除 {{count}} 张，保留其余',
  takesPlace_other: '保留的图片在 {{albums}} 中取代被删除的图片',
  namedTakesPlace_other: '{{name}} 在 {{albums}} 中取代被删除的图片',
  inAlbums: '在 {{albums}} 中',
  coverOf: '{{albums}} 的封面',
  caption: '有说明',
  favourite: '已收藏',
  views_other: '{{formatted}} 次浏览',
  expires: '有效期至 {{date}}',
  password: '受密码保护',
  markOthers: '标记其余图片',
  keepBoth: '两张都保留',
  keepAll: '全部保留',
  different: '不是重复图片',
  markedDifferent: '这些图片不再列为重复图片',
  nothing: '没有重复图片',
  nothingText: '重复存储或看起来相似的图片会显示在这里。',
};

export const unsaved = {
  title: '放弃更改？',
  text: '你的更改尚未保存。',
  stay: '继续编辑',
  discard: '放弃更改',
};

export const searching = {
  videos: '视频',
  byUpload: '按上传日期查找。',
  byTaken: '按拍摄日期查找。',
  useTaken: '改为拍摄日期',
  useUpload: '改为上传日期',
  unread_other: '还有 {{formatted}} 张图片中的文字尚未识别，暂时无法按图中文字找到。',
};

export const versions = {
  restored: '版本已恢复',
  restoredText: '链接现在指向该版本，另一个版本在回收站中。',
  undone: '已撤销替换',
  undoneText: '链接重新指向替换前的版本，另一个版本在回收站中。',
  final: '无法撤销：图片又被替换，或替换前的版本已永久删除。',
  apart: '原图片已不存在，已恢复为只有你能打开的单独图片',
  leftOut_other: '{{formatted}} 个替换前的版本仍在回收站。如需让图片的链接重新指向某个版本，请逐个恢复。',
};

export const details = {
  file: '文件名',
  size: '大小',
  duration: '时长',
  dimensions: '尺寸',
  uploaded: '上传时间',
  taken: '拍摄时间',
  takenYears: '请选择 {{from}} 年到 {{to}} 年之间的时间。',
  visibility: '谁可以看到',
  adminsToo: '此站点的管理员也能看到。',
  expires: '有效期',
  views: '浏览次数',
  viewsOf: '已用 {{views}} 次，共 {{max}} 次',
  protected: '受密码保护',
};

/** 分享链接之后，或仅这台电脑可以打开时。 */
export const opened = {
  shareNow: '立即共享',
  shareHint: '将开启网络共享，并重新复制链接。',
  shared: '已重新复制链接',
  published_other: '现在{{who}}可以打开这 {{formatted}} 张图片',
};

export const picture = {
  description: '描述',
  title: '标题',
  titleHint: '代替文件名显示。',
  caption: '图片说明',
  captionHint: '显示在分享页面的图片下方。',
  alt: '替代文本',
  altHint: '向看不到图片的人描述图片，用于 Markdown 和 HTML 链接。',
  address: '自定义地址',
  addressHint: '用易读的地址代替随机地址。原来的链接仍然有效。',
  addressFree: '此地址可以使用。',
  addressProblem: {
    malformed: '请使用 2 到 63 个英文字母（a 到 z）、数字或连字符，且不能以连字符开头。',
    like_key: '恰好由 12 个字母和数字组成的地址为系统保留。请增减字符，或加上连字符。',
    reserved: '此地址为系统保留，请换一个。',
    taken: '其他图片正在使用或不久前用过此地址，请换一个。',
  },
  compare: '与替换前的版本对比',
  edit: '编辑图片',
  more: '更多操作',
  replaceWith: '替换图片…',
};
