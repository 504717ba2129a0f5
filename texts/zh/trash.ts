import type { trash as english } from '#texts/en/trash.ts';
import type { Translated } from '#texts/translated.ts';

export const trash: Translated<typeof english> = {
  title: '回收站',
  intro_other: '图片会在这里保留 {{count}} 天。恢复图片后，链接会重新生效。',
  nothing: '回收站是空的',
  nothingText: '已删除或过期的图片会在这里保留一段时间。',
  restore: '恢复',
  restoreOne: '恢复 {{name}}',
  restoreTitle_other: '恢复 {{count}} 张图片？',
  restoreExpired_other: '图片已过期。恢复后，链接会重新生效，之前能打开的人都可以再次打开。',
  restoreSome_other: '其中 {{count}} 张已过期。恢复后，链接会重新生效，之前能打开的人都可以再次打开。',
  versionNote: '恢复后会成为一张单独的图片，只有你能打开。',
  versionRestored_other: '已将 {{formatted}} 个替换前的版本恢复为单独的图片，只有你能打开',
  purgeOne: '永久删除 {{name}}',
  purge: '永久删除',
  empty: '清空回收站',
  daysLeft_other: '剩余 {{count}} 天',
  restored_other: '已恢复 {{formatted}} 张图片',
  purged_other: '已永久删除 {{count}} 张图片',
  purgeTitle_other: '永久删除 {{count}} 张图片？',
  purgeText_other: '此操作无法撤销。',
  emptyTitle: '清空回收站？',
};
