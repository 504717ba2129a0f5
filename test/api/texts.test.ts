import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { AS_SENT, asSent, line, prose, type Route, typed } from '#api/contract.ts';
import { cleanLine, cleanText } from '#api/plain-text.ts';

const root = join(import.meta.dirname, '../..');

/** All routes of the contract. */
const routes: Route[] = [];
for (const path of globSync('api/**/*.ts', { cwd: root })) {
  if (path.includes('desktop')) continue;
  const module = (await import(join(root, path))) as Record<string, unknown>;
  for (const value of Object.values(module))
    if (typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value)
      routes.push(value as Route);
}

interface Def {
  type: string;
  checks?: { _zod: { def: { check: string; tx?: unknown } } }[];
  check?: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  options?: z.ZodType[];
  items?: z.ZodType[];
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
}
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** The texts in a schema: what a client can send there as it likes, by their paths. */
function plainTexts(schema: z.ZodType | undefined, path: string): string[] {
  if (!schema) return [];
  const def = defOf(schema);
  const within = (inner: z.ZodType | undefined, name = '') => plainTexts(inner, path + name);
  switch (def.type) {
    case 'string':
      return isChecked(def) ? [] : [path];
    case 'object':
      return Object.entries(def.shape ?? {}).flatMap(([name, inner]) => within(inner, `.${name}`));
    case 'array':
      return within(def.element, '[]');
    case 'union':
      return (def.options ?? []).flatMap((option) => within(option));
    case 'intersection':
      return [...within(def.left), ...within(def.right)];
    case 'tuple':
      return (def.items ?? []).flatMap((item) => within(item, '[]'));
    case 'record':
      return [...within(def.keyType, '{}'), ...within(def.valueType, '{}')];
    case 'pipe':
      // What is transformed comes in first; what `preprocess` passes on is checked by the second.
      if (defOf(def.in as z.ZodType).type === 'transform') return within(def.out);
      return defOf(def.out as z.ZodType).type === 'boolean' ? [] : within(def.in);
    default:
      return within(def.innerType);
  }
}

/** A text for people is cleaned; any other has a form, or is marked as one that nobody else is shown. */
function isChecked({ checks = [], check }: Def): boolean {
  const isCleaned = checks.some(({ _zod: { def } }) => def.check === 'overwrite' && (def.tx === cleanLine || def.tx === cleanText));
  return (
    isCleaned ||
    checks.includes(AS_SENT as never) ||
    check === 'string_format' ||
    checks.some(({ _zod: { def } }) => def.check === 'string_format')
  );
}

it('has no text in a request that is neither cleaned, nor of a form, nor marked as one that stays as it is', () => {
  expect(routes.length).toBeGreaterThan(150);
  const found = routes.flatMap(({ method, path, params, query, headers, body }) =>
    Object.entries({ params, query, headers, body }).flatMap(([part, schema]) => plainTexts(schema, `${method} ${path}: ${part}`)),
  );
  expect(found).toEqual([]);
});

it.each([
  ['a plain text', z.object({ name: z.string().trim().min(1).max(9) }), ['x.name']],
  ['one in a list that may be absent', z.object({ tags: z.array(z.string().max(5)).optional() }), ['x.tags[]']],
  [
    'one in a preprocessed field',
    z.object({ from: z.preprocess((value) => value || undefined, z.string().nullable().optional()) }),
    ['x.from'],
  ],
  ['one of several', z.union([z.literal(''), z.object({ a: z.string().default('') })]), ['x.a']],
  ['keys and values', z.record(z.string(), z.string()), ['x{}', 'x{}']],
  ['texts that are cleaned', z.object({ a: line(9).optional(), b: prose(9), c: line(9, 1).meta({ description: 'x' }).nullable() }), []],
  ['texts that stay as they are', z.object({ a: asSent(), b: asSent(9).optional(), c: typed(9, 1).toLowerCase() }), []],
  ['texts of a form', z.object({ a: z.email(), b: z.iso.datetime(), c: z.string().regex(/^a$/), d: z.enum(['a']) }), []],
])('finds %s', (_what, schema, paths) => {
  expect(plainTexts(schema, 'x')).toEqual(paths);
});

it('counts what is left of a text, and reads no more than it needs', () => {
  expect(line(5, 1).parse(` a\u202e${'\u200b'.repeat(9)}b \n c`)).toBe('ab c');
  expect(line(5).safeParse('abcdef').error?.issues[0]).toMatchObject({ code: 'too_big', maximum: 5 });
  expect(line(5, 1).safeParse(' \u202e\u200b ').error?.issues[0]).toMatchObject({ code: 'too_small', minimum: 1 });
  expect(line(5).safeParse('\u0301'.repeat(30)).success).toBe(false);
  expect(z.toJSONSchema(line(5, 1))).toMatchObject({ type: 'string', minLength: 1, maxLength: 5 });
});
