/** Asking before pictures leave their albums. */
export const moving = {
  moveTitle_other: '将 {{formatted}} 张图片移动到“{{album}}”？',
  unfileTitle_other: '将 {{formatted}} 张图片从所有相册中移除？',
  move: '移动',
  unfile: '移除',
  leaving: '图片将从以下相册中移除：',
  leaves_other: '{{name}}：{{formatted}} 张',
  leavesPublic_other: '{{name}}（公开）：{{formatted}} 张',
  leavesMore_other: '另外 {{formatted}} 个相册',
  leavingPublic: '别人打开公开相册时，将看不到这些图片。',
};
