import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TextDocument } from '#cli/markdown/documents.ts';
import { Locator } from '#cli/markdown/locate.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

it.each(['file:///a%2Fb.png', 'file:///a%E0.png', 'file:///a%00.png', 'file://other/a.png', 'a%E0.png', 'a%00.png'])(
  'finds nothing by “%s”, and goes on',
  async (target) => {
    const base = temporaryFolder();
    const document = { path: join(base, 'page.md'), base } as TextDocument;
    writeFileSync(join(base, 'b.png'), '');
    const locator = new Locator(false);
    expect((await locator.locate({ target, isName: false }, document)) ?? {}).not.toHaveProperty('file');
    expect(await locator.locate({ target: 'b.png', isName: false }, document)).toHaveProperty('file');
  },
);
