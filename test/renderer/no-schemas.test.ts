import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type z as Zod, ZodType } from 'zod';
import { z as stand } from '#renderer/no-schemas.ts';

const z = stand as typeof Zod;

it('declares whatever schema, and says so when one is asked for an answer', () => {
  const schema = z.object({ name: z.string().trim().min(1), kind: z.enum(['a']).optional() }).extend({ at: z.iso.datetime() });
  expect(() => schema.parse({})).toThrow('The web application has no schemas: parse is for the service.');
  expect(() => schema.safeParse({})).toThrow('safeParse');
  expect({ ...schema.shape }).toEqual({});
});

it('is enough for the web application: it takes no schema from the contract', async () => {
  const root = join(import.meta.dirname, '../..');
  const imports = globSync('renderer/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^import (?!type)\{([^}]*)\} from '#api\/([^']+)'/gm)].map(([, names, from]) => ({
      file,
      names: (names ?? '').split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
      from,
    })),
  );
  expect(imports.length).toBeGreaterThan(30);
  const schemas: string[] = [];
  for (const { file, names, from } of imports) {
    const parts = (await import(join(root, 'api', from ?? ''))) as Record<string, unknown>;
    schemas.push(...names.filter((name) => parts[name] instanceof ZodType).map((name) => `${file}: ${name}`));
  }
  expect(schemas).toEqual([]);
});
