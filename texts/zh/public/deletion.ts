import type { deletion as english } from '#texts/en/public/deletion.ts';
import type { Translated } from '#texts/translated.ts';

export const deletion: Translated<typeof english> = {
  title: '删除这张图片？',
  permanent: '图片将被永久删除。无论链接发到了哪里，都会立即失效。',
  trash: '图片将移入所有者的回收站。无论链接发到了哪里，都会立即失效。',
  confirm: '删除图片',
  keep: '保留',
  keptTitle: '没有删除任何内容',
  keptText: '图片仍在。如果改变主意，仍可使用此链接。',
  again: '仍要删除',
  doneTitle: '图片已删除',
  donePermanent: '{{name}} 已永久删除，链接已失效。',
  doneTrash: '{{name}} 已移入所有者的回收站，链接已失效。',
  missingTitle: '没有可删除的内容',
  missingText: '图片已被删除，或链接不完整。请检查链接。',
  uploaded: '上传于 {{date}}',
};
