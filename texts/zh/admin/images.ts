import type { images as english } from '#texts/en/admin/images.ts';
import type { Translated } from '#texts/translated.ts';

export const images: Translated<typeof english> = {
  intro: '所有人的图片。在这里删除的图片，无论属于谁，都会永久删除。',
  search: '名称或链接',
  state: '位置',
  live: '图片',
  trash: '回收站',
  visibility: '可见性',
  allVisibilities: '清除可见性筛选',
  public: '知道链接的任何人',
  private: '仅所有者',
  user: '用户',
  allUsers: '清除用户筛选',
  onlyGuests: '仅看游客上传的',
  none: '没有找到图片',
  noneText: '请尝试更短的关键词，或减少筛选条件。',
  empty: '还没有图片',
  emptyText: '上传的图片会显示在这里。',
  open: '打开 {{name}}',
  select: '选择 {{name}}',
  guestAt: '游客，{{address}}',
  purge_other: '永久删除 {{count}} 张图片',
  purgeTitle_other: '永久删除 {{count}} 张图片？',
  purgeText_other: '不会进入回收站，链接立即失效。此操作无法撤销。',
  purgeConfirm: '永久删除',
  purged_other: '已永久删除 {{count}} 张图片',
};
