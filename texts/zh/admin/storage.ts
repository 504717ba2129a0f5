import type { storage as english } from '#texts/en/admin/storage.ts';
import type { Translated } from '#texts/translated.ts';

export const storage: Translated<typeof english> = {
  where: '存储位置',
  local: '服务器上的文件夹',
  s3: 'S3 存储桶',
  inBucket: 'S3 存储桶',
  endpoint: '端点（Endpoint）',
  endpointHint: 'S3 接口的地址，可以是内网地址。',
  region: '区域',
  bucket: '存储桶',
  prefix: '前缀',
  fixedHint: '存储桶和前缀设定后无法更改。',
  pathStyle: '路径样式地址',
  pathStyleHint: '除 Amazon S3 外，大多数对象存储都需要开启。',
  accessKey: 'Access Key ID',
  secretKey: 'Secret Access Key',
  secretKept: '已加密保存。不修改即保留原值。',
  showSecret: '显示 Secret Access Key',
  publicUrl: 'CDN 地址',
  publicUrlHint:
    '可选。公开图片的直接链接会跳转到此地址，因此 CDN 必须允许任何人读取该前缀下的对象。图片之后即使改为“仅自己”可见，已打开过的人仍可通过跳转后的地址访问。',
  move: '移动图片…',
  moveOne: '移动 {{name}} 的图片',
  moveTitle: '移动 {{name}} 的图片',
  moveText: '所有图片（包括回收站中的）将在后台移动，链接一直有效。新上传的图片仍按用户组的设置存储。',
  moveTo: '移动到',
  moveStart: '移动图片',
  moveStop: '停止',
  moving: '正在移动到 {{name}}：{{done}} / {{total}} 个文件',
  moveFault: '暂时无法移动：其中一个存储位置不可用。Pixdock 会继续尝试。',
  stuck: '部分文件暂时无法删除',
  stuckText_other:
    '该策略中仍有 {{formatted}} 个已删除图片的文件（{{size}}）。你可以稍后重试，也可以直接删除该策略：文件会留在存储中，不再由 Pixdock 管理。',
  forget: '将这些文件留在存储中',
  test: '测试连接',
  works: '连接正常：已在 {{ms}} 毫秒内写入、读取并删除一个测试对象。',
};
