import type { policies as english } from '#texts/en/admin/policies.ts';
import type { Translated } from '#texts/translated.ts';

export const policies: Translated<typeof english> = {
  intro: '存储策略决定图片存储在哪里、上传时如何处理。更改只对新上传的图片生效。',
  create: '新建策略',
  none: '没有存储策略',
  editTitle: '编辑 {{name}}',
  dataFolder: '数据文件夹内',
  ownFolder: '独立文件夹',
  folder: '服务器上的文件夹',
  folderHint: '绝对路径，不存在时会自动创建。之后无法更改。',
  keepMetadata: '保留 EXIF 等元数据',
  keepMetadataHint: '开启后，知道链接的任何人都能读取图片中的拍摄位置、相机序列号和机主姓名。',
  metadataKept: '保留元数据',
  metadataRemoved: '移除元数据',
  maxSide: '最长边（像素）',
  sideFact: '最长边不超过 {{side}} px',
  convert: '转换为',
  convertFact: '转换为 {{format}}',
  asIs: '保持原样',
  heic: 'HEIC 转换为',
  cache: '公开图片的浏览器缓存时间',
  noCache: '不缓存',
  quality: '质量',
  qualityHint: '缩小或转换格式时的画质。',
  pictures_other: '{{formatted}} 张图片',
  deleteText: '只能删除未被任何图片或用户组使用的策略。其文件夹或存储桶会保留。',
};
