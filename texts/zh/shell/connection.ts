import type { connection as english } from '#texts/en/shell/connection.ts';
import type { Translated } from '#texts/translated.ts';

export const connection: Translated<typeof english> = {
  lost: '无法连接 Pixdock。',
  trying: '正在重新连接…',
  retry: '立即重试',
};
