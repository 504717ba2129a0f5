import { expect, it } from 'vitest';
import { describeCleanUp } from '#renderer/features/admin/system/space.tsx';
import { en } from '#renderer/i18n/en-admin.ts';
import { formatBytes } from '#renderer/i18n/format.ts';
import { i18n } from '#renderer/i18n/t.ts';
import { zh } from '#renderer/i18n/zh-admin.ts';

const MB = 1_048_576;

it.each([
  [{ freed_bytes: 3 * MB, later_bytes: 0 }, '3 MB freed', '已释放 3 MB'],
  [
    { freed_bytes: 0, later_bytes: 2 * MB },
    '2 MB will be freed within 12 hours, as other servers may still be using the files',
    '2 MB 将在 12 小时内释放，因为其他服务器可能仍在使用这些文件',
  ],
  [
    { freed_bytes: 3 * MB, later_bytes: 2 * MB },
    '3 MB freed. Another 2 MB will be freed within 12 hours, as other servers may still be using the files.',
    '已释放 3 MB。另有 2 MB 将在 12 小时内释放，因为其他服务器可能仍在使用这些文件。',
  ],
])('says what a clean-up has freed and will free: %o', (outcome, english, chinese) => {
  i18n.add('en', 'admin', en).add('zh', 'admin', zh);
  const describeIn = (language: string) => {
    i18n.changeLanguage(language);
    return describeCleanUp(i18n.getT('admin'), (bytes) => formatBytes(bytes, language), outcome);
  };
  expect([describeIn('en'), describeIn('zh')]).toEqual([english, chinese]);
});
