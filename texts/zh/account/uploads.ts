import type { uploads as english } from '#texts/en/account/uploads.ts';
import type { Translated } from '#texts/translated.ts';

export const uploads: Translated<typeof english> = {
  title: '上传',
  visibility: '默认可见性',
  visibilityHint: '新上传的图片默认对谁可见，上传时可另行选择。管理员可以看到所有图片。',
  album: '默认相册',
  albumHint: '上传时如未选择其他相册，新图片会放入此相册。',
  copyright: '保留作者和版权信息',
  copyrightHint: '仅对新图片生效，其他元数据仍会移除。能打开图片的人都能读取这两项。',
  stored: '“每次上传前询问”“上传后复制链接”和“此浏览器的上传选项”都保存在此浏览器中。其他设置属于你的账户，对所有代你上传的程序生效。',
  storage: '存储空间',
  limits: '上传限制',
  largest: '单个文件大小上限',
  formats: '格式',
  rate: '每分钟上传数',
  hourly: '每小时上传数',
  daily: '每天上传数',
  longest: '链接最长有效期',
  unlimited: '不限',
};
