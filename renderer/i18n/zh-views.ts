export const views = {
  title: '查看次数',
  intro: '最近 30 天其他人打开你的图片的次数，以及来自哪些网站。',
  total_other: '最近 {{days}} 天共查看 {{formatted}} 次',
  none: '最近 {{days}} 天没有人查看。分享链接后，其他人的查看会统计在这里。',
  pictures: '查看最多',
  sources: '访问来源',
  sourcesHint: '只统计网站名称。没有来源的查看（例如来自聊天消息和应用）不会列出。',
  sourcesOff: '管理员已关闭访问来源统计。',
  otherHosts: '其他网站',
  count_other: '{{formatted}} 次',
  mostlyFrom: '主要来自 {{host}}',
};
