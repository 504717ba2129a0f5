import type { Translation } from './en.ts';

export const selection: Translation['selection'] = {
  selected_other: '已选 {{formatted}} 张',
  selectAll: '选择全部 {{formatted}} 张',
  moved_other: '已将 {{formatted}} 张图片移动到 {{album}}',
  unfiled_other: '已将 {{formatted}} 张图片移出相册',
  openAlbum: '打开相册',
  tagged_other: '已为 {{formatted}} 张图片添加标签',
  untagged_other: '已从 {{formatted}} 张图片移除标签',
  published_other: '知道链接的任何人现在都可以打开 {{formatted}} 张图片',
  hidden_other: '现在仅你自己能看到 {{formatted}} 张图片',
  expires: '有效期',
  expiring_other: '{{formatted}} 张图片将在 {{period}}后过期',
  lasting_other: '{{formatted}} 张图片永不过期',
  working_other: '正在更改 {{formatted}} 张图片…',
  deleting_other: '正在删除 {{formatted}} 张图片…',
  restoring: '正在恢复…',
  zipMixed: '要下载 zip，请选择一整天、全部图片，或最多 {{max}} 张图片',
  tooManyLinks: '一次最多复制 {{formatted}} 个链接',
  copyLink: '复制 {{name}} 的链接',
};
