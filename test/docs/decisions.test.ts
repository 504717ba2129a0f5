import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../docs/decisions');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

it('lists every decision in the index with its title, a status and a date', () => {
  const files = readdirSync(folder).filter((file) => /^\d{3}-.*\.md$/.test(file));
  expect(files.length).toBeGreaterThan(20);
  const expected = files.sort().map((file) => {
    const [, number, title] = /^# (\d{3})\. (.*)$/m.exec(read(file)) ?? [];
    expect(file.startsWith(`${number}-`), file).toBe(true);
    return `[${number}](${file}) | ${title}`;
  });
  const rows = [...read('README.md').matchAll(/^\| (\[.*) \| (accepted|superseded by \[\d{3}\]\(\S+\)) \| \d{4}-\d\d-\d\d \|$/gm)];
  expect(rows.map(([, row]) => row)).toEqual(expected);
});
