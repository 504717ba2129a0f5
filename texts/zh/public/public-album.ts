import type { publicAlbum as english } from '#texts/en/public/public-album.ts';
import type { Translated } from '#texts/translated.ts';

export const publicAlbum: Translated<typeof english> = {
  lockedTitle: '这个相册受密码保护',
  lockedText: '请输入对方告诉你的密码。一天内，在此浏览器中无需再次输入。',
  missingTitle: '无法查看这个相册',
  missingText: '相册可能已被删除或不再公开，也可能是链接不完整。请检查链接，或让发来链接的人重新分享。',
  emptyTitle: '还没有图片',
  emptyText: '新添加到相册的图片会显示在这里，请稍后再来。',
  pictures: '相册“{{album}}”的图片',
  keys: '按方向键移动，回车键打开。',
  open: '打开 {{name}}',
  count_other: '{{formatted}} 张图片',
  copyLink: '复制链接',
  copyAlbum: '复制相册链接',
  downloadAll: '全部下载',
  slideshow: '幻灯片',
  limited_other: '另有 {{formatted}} 张图片设有浏览次数上限，只能通过各自的链接打开。',
  download: '下载',
  sharePage: '打开分享页面',
  more: '正在加载更多图片…',
  end: '已经到底了。',
};
