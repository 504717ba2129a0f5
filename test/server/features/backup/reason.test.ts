import { expect, it } from 'vitest';
import { z } from 'zod';
import { reasonOf } from '#server/features/backup/reason.ts';

const invalid = z.object({ site_name: z.string(), former_hosts: z.array(z.string()) }).safeParse({}).error;

it.each<[unknown, string]>([
  [new Error('It is broken'), 'It is broken.'],
  [new Error('Is it broken?'), 'Is it broken?'],
  [new Error("ENOENT: no such file, open '/srv/data/secrets.json'"), "ENOENT: no such file, open '…/secrets.json'."],
  [new Error('One.\n    at two'), 'One.'],
  [new Error('x'.repeat(500)), `${'x'.repeat(160)}…`],
  [invalid, 'These values aren’t valid: site_name, former_hosts.'],
  ['text', 'text.'],
])('puts %o into a sentence without paths', (error, sentence) => {
  expect(reasonOf(error, '/srv/data')).toBe(sentence);
});
