import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AS_SENT, asSent, line, prose, type Route, typed } from '#api/contract.ts';
import { fileNameOf } from '#api/file-name.ts';
import { bytesOf, charactersOf, cleanLine, cleanText, cutStart, cutText } from '#api/plain-text.ts';
import { cpuSince } from '#test/helpers/programs/cpu.ts';
import { pick, random } from '#test/helpers/random.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

describe('a line', () => {
  it.each([
    ['directions', 'report\u202egpj.exe\u2066a\u2069\u200e\u200f\u061c', 'reportgpj.exea'],
    ['colours of a terminal', '\u001b[31;1mred\u001b[0m \u009b1mbold\u001b(B', 'red bold'],
    ['titles and links of a terminal', '\u001b]0;owned\u0007a\u001b]8;;http://evil.example\u001b\\b\u009dx\u009cc', 'abc'],
    ['an unfinished sequence', 'a\u001b]0;title', 'a'],
    ['control characters', 'a\u0000\u0007\u0008b\u007fc\u0080d', 'abcd'],
    ['line breaks of any kind', 'a\r\nb\nc\rd\u2028e\u2029f\u0085g\vh\fi', 'a b c d e f g h i'],
    ['tabs and blanks', ' \ta\u00a0\u3000 b\u2800c ', 'a b c'],
    ['what is invisible', 'a\u200b\u2060\ufeff\u00ad\u3164\u115f\u{e0001}b', 'ab'],
    ['hidden letters of tags', `a${[...'evil'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}b`, 'ab'],
    ['accents apart from their letters', 'e\u0301 u\u034f\u0308', 'é ü'],
    ['halves of characters', 'a\ud83db\udc68', 'a\ufffdb\ufffd'],
    ['nothing to see', '\u3164\u200d\ufe0f\u2800 \u0301', ''],
  ])('has no %s', (_what, sent, kept) => {
    expect(cleanLine(sent)).toBe(kept);
    expect(cleanLine(kept)).toBe(kept);
  });

  it.each([`${FAMILY} 🇨🇳 ${ENGLAND} ❤️ 👍🏽`, '葛\u{e0100}飾区', 'क्‍ष نمی‌خواهم', 'שלום עולם', '小明 & Tom — “naïve”', 'a\ufffdb'])(
    'keeps %s',
    (text) => {
      expect(cleanLine(text)).toBe(text.normalize('NFC'));
    },
  );

  it('is the same once it is clean, whatever was sent', () => {
    const parts = [
      'a',
      '\u001b',
      '[',
      ']',
      '0',
      'm',
      '\u0007',
      '\u009b',
      '\\',
      '\n',
      '\r',
      ' ',
      '\u202e',
      '\u200d',
      '\u0301',
      'e',
      '👨',
      '\ud83d',
      '\u{e0067}',
      '🏴',
      '\u3164',
      '\u2028',
    ];
    const from = random(7);
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 12 }, () => pick(from, parts)).join('');
      for (const clean of [cleanLine, cleanText]) {
        const once = clean(text);
        expect([text, clean(once)]).toEqual([text, once]);
        expect(once).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      }
      expect(cleanLine(text)).not.toMatch(/[\n\r\u2028]/);
    }
  });
});

it('a text of several lines keeps them, with one empty line in a row', () => {
  expect(cleanText(' a \r\n\r\n\n\n b\u2029c\u202e\u001b[2J\n')).toBe('a \n\n b\nc');
});

it('takes time in proportion to what is sent', () => {
  const before = process.cpuUsage();
  for (const hostile of ['\u001b]', '\u001b[', '\u001b]0;', '\u{e0067}', '🏴\u{e0067}', '\n', ' ', '\u009d', '\u001b[0'])
    cleanLine(hostile.repeat(200_000 / hostile.length));
  expect(cpuSince(before)).toBeLessThan(1_000);
});

describe('cutting', () => {
  it.each([
    [`a${FAMILY}b`, 5, 'a'],
    [`a${FAMILY}b`, 12, `a${FAMILY}`],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['🇨🇳🇬🇧', 5, '🇨🇳'],
    ['abc', 3, 'abc'],
    ['abc', 0, ''],
    ['', 3, ''],
    // One letter with too many accents: between those.
    [`a${'\u0301'.repeat(9)}`, 3, 'a\u0301\u0301'],
  ])('%j to %d units leaves %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut);
  });

  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, '…cd'],
    ['ab cd', 4, '…cd'],
    [`ab${FAMILY}c`, 13, `…${FAMILY}c`],
    [`ab${FAMILY}c`, 12, '…c'],
    [`a${'\u0301'.repeat(9)}`, 3, '…'],
  ])('the end of %j to %d units is %j', (text, max, cut) => {
    expect(cutStart(text, max)).toBe(cut);
  });

  it('counts what the receiver counts', () => {
    expect(cutText('长'.repeat(120), 255, bytesOf)).toBe('长'.repeat(85));
    expect(bytesOf(cutText(FAMILY.repeat(20), 255, bytesOf))).toBeLessThanOrEqual(255);
    expect(charactersOf(`a${FAMILY}é`)).toEqual(['a', FAMILY, 'é']);
  });
});

it.each([
  ['harbour.JPEG', 'harbour.jpg'],
  ['长'.repeat(120), `${'长'.repeat(83)}.jpg`],
  [`${'长'.repeat(120)}.png`, `${'长'.repeat(83)}.jpg`],
  ['x'.repeat(300), `${'x'.repeat(251)}.jpg`],
  [FAMILY.repeat(20), `${FAMILY.repeat(10)}.jpg`],
  ['é'.normalize('NFD').repeat(200), `${'é'.repeat(125)}.jpg`],
  ['../../etc/passwd', '_.._etc_passwd.jpg'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j.jpg'],
  ['CON', 'picture CON.jpg'],
  ['nul.tar.gz', 'picture nul.tar.jpg'],
  ['com1', 'picture com1.jpg'],
  ['LPT¹', 'picture LPT¹.jpg'],
  ['console', 'console.jpg'],
  ['.hidden', 'hidden.jpg'],
  ['trailing. . ', 'trailing.jpg'],
  ['invoice\u202egpj.exe', 'invoicegpj.jpg'],
  ['a\u001b[31mb\nc', 'ab c.jpg'],
  ['', 'picture.jpg'],
  ['...', 'picture.jpg'],
  ['.jpg', 'picture.jpg'],
  ['\u200b', 'picture.jpg'],
  ['half \ud83d', 'half \ufffd.jpg'],
])('makes %j the file %j', (name, file) => {
  expect(fileNameOf(name, 'jpg')).toBe(file);
});

it('never cuts the extension, nor what makes a name unique', () => {
  for (const name of ['长'.repeat(400), `${'a '.repeat(200)}`, FAMILY.repeat(50), `${'.'.repeat(400)}`, `a${'\u0301'.repeat(400)}`])
    for (const ending of ['', ' (2)', '-b7Rk2mQx9LpT', ' (123456)'])
      for (const ext of ['jpg', 'webp', 'zip']) {
        const file = fileNameOf(name, ext, ending);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
        expect(file.endsWith(`${ending}.${ext}`)).toBe(true);
        expect(file).toBe(file.toWellFormed());
        expect(file).toMatch(/^[^\s.]/);
      }
});

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
