import type { viewer as english } from '#texts/en/viewer.ts';
import type { Translated } from '#texts/translated.ts';

export const viewer: Translated<typeof english> = {
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
  goneHint: '图片可能已被删除，或链接有误。回收站中的图片会保留 {{count}} 天。',
  lookInTrash: '打开回收站',
};
