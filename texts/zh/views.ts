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
