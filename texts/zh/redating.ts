/** Correcting the dates of pictures. */
export const redating = {
  title_other: '更正 {{formatted}} 张图片的拍摄时间',
  way: '更正方式',
  shift: '前后调整',
  set: '指定时间',
  shiftHint: '适合相机时钟或时区不对的情况：图片之间的时间间隔保持不变。',
  setHint: '所选图片都会改成这个时间。',
  direction: '调整方向',
  earlier: '往前',
  later: '往后',
  days: '天',
  hours: '小时',
  minutes: '分钟',
  preview: '{{before}} 改为 {{after}}',
  save: '更改时间',
};
