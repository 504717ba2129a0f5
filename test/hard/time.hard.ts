import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { changePreferences } from '#api/auth/user.ts';
import { KNOWN_EXTS } from '#api/formats.ts';

import { ALLOCATOR_ENV } from '#server/platform/config/allocator.ts';
import { type SlowFormat, slowFormats } from '#test/helpers/pictures/slow.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import type { Used } from '#test/helpers/programs/cpu.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';
import { Random } from './random.ts';
import { expectSound } from './subject.ts';

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
/** Drawings of more bytes aren't read. */
const MAX_SVG = 5_200_000;
/** Random combinations for each format. */
const COMBINATIONS = 8;
/** On a busy computer, fewer combinations are tried. */
const COMBINED_AT_MS = 240_000;
/** Milliseconds of CPU time of the service's main thread, without a turn for anything else. */
const LONGEST = 50;
/** Altogether: some for each upload, and for each megabyte. */
const TOTAL = (bytes: number) => 500 + bytes / 10_000;
/** Garbage of earlier inputs may be collected at any time. */
const ATTEMPTS = 3;

const folder = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const meter = join(folder, 'meter');
const dataDir = join(folder, 'data');
const preload = new URL('./meter.ts', import.meta.url).href;
// With the variables of the allocator, the service doesn't restart itself, which would start the meter twice.
const env = { ...ALLOCATOR_ENV, NODE_OPTIONS: `--import=${preload}`, PIXDOCK_HARD_METER: meter };
const service = await startChildService(dataDir, env);
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** What the service's main thread has used since the last call. */
const used = async () => (await json(connect(meter))) as Used;

/** A request for uploading. */
interface Input {
  format: string;
  name: string;
  bytes: number;
  headers: Record<string, string>;
  body: Buffer | FormData;
}

interface Row extends Pick<Input, 'format' | 'name' | 'bytes'>, Used {}

let requests = 0;

function upload(format: string, name: string, picture: Buffer, fields: Record<string, string> = {}): Input {
  const body = new FormData();
  // A picture that expires is stored again when it is repeated.
  for (const [field, value] of Object.entries({ expires_in: '3600', ...fields })) body.append(field, value);
  body.append('file', new Blob([new Uint8Array(picture)]), `${++requests}.bin`);
  return { format, name, bytes: picture.length, headers: {}, body };
}

type Formats = Record<string, SlowFormat>;

const mostOf = (format: string) => (format === 'svg' ? MAX_SVG : Number.POSITIVE_INFINITY);

function* pictures(formats: Formats): Generator<Input> {
  for (const [format, { parts, wrap }] of Object.entries(formats))
    for (const [name, part] of Object.entries(parts))
      for (const size of SIZES) yield upload(format, name, wrap(part(Math.min(size, mostOf(format)))));
}

/** Random combinations, as long as there is time. */
function* combinations(formats: Formats): Generator<Input> {
  const random = new Random('time');
  for (let round = 0; round < COMBINATIONS; round++) {
    for (const [format, { parts, wrap }] of Object.entries(formats)) {
      if (performance.now() > COMBINED_AT_MS) return;
      const names = Array.from({ length: 2 + random.below(3) }, () => random.pick(Object.keys(parts)));
      const combined = names.map((name) => {
        const bytes = Math.floor(Math.min(random.pick(SIZES), mostOf(format)) / names.length);
        return { name: `${bytes} of ${name}`, part: (parts[name] as (bytes: number) => Buffer)(bytes) };
      });
      yield upload(format, combined.map(({ name }) => name).join(', '), wrap(Buffer.concat(combined.map(({ part }) => part))));
    }
  }
}

/** Forms around a small picture. */
function* forms(): Generator<Input> {
  const picture = () => tinyPng(++requests);
  for (const size of SIZES.map((bytes) => Math.min(bytes, 60_000))) {
    yield upload('form', 'tags', picture(), { tags: 'a,'.repeat(size / 2) });
    yield upload('form', 'accents', picture(), { title: 'a\u0301\u0323'.repeat(size / 5) });
    yield upload('form', 'spaces', picture(), { taken_at: `${' '.repeat(size)}x`, name: `${' '.repeat(1_000)}x` });
    yield raw('long boundary', '-'.repeat(Math.min(size, 14_000)), (boundary) =>
      Buffer.alloc(SIZES.at(-1) as number, `\r\n--${boundary.slice(1)}`),
    );
  }
  for (const size of SIZES) {
    const part = 'content-disposition: form-data; name="file"; filename="x"\r\n\r\n';
    yield raw('parts', 'b', () => Buffer.alloc(size, `\r\n--b\r\n${part}`));
    yield raw('headers', 'b', () => Buffer.alloc(size, '\r\n--b\r\na: b\r\nc: d\r\n'));
    yield raw('line breaks', 'b', () => Buffer.from(`--b\r\n${part}${'\r\n--'.repeat(size / 4)}`));
  }
}

function raw(name: string, boundary: string, content: (boundary: string) => Buffer): Input {
  const body = Buffer.concat([content(boundary), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { format: 'form', name, bytes: body.length, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

it('reads the slowest pictures in linear time, without keeping others waiting', { timeout: 600_000 }, async () => {
  const owner = await setUp(service);
  for (const { id, kind } of (await owner.client.call(listGroups, { query: {} })).items)
    if (kind !== 'guest') await owner.client.call(changeGroup, { params: { id: String(id) }, body: { allowed_exts: [...KNOWN_EXTS] } });
  await owner.client.call(changePreferences, { body: { keep_copyright: true } });
  const authorization = `Bearer ${await owner.token('upload')}`;

  async function send({ headers, body }: Input): Promise<void> {
    const init = { method: 'POST', headers: { authorization, connection: 'close', ...headers }, body };
    const response = await fetch(`${service.url}/api/v1/upload`, init as RequestInit).catch(() => undefined);
    const { data } = ((await response?.json().catch(() => undefined)) ?? {}) as { data?: { links?: { thumbnail_url: string } } };
    expect(response?.status ?? 400).toBeLessThan(500);
    if (data?.links) await (await fetch(`${data.links.thumbnail_url}?w=400`, { headers: { connection: 'close' } })).arrayBuffer();
  }

  async function measure(input: Input): Promise<Used> {
    await used();
    await send(input);
    return used();
  }

  const rows: Row[] = [];
  const formats = await slowFormats();
  const inputs = function* () {
    yield* pictures(formats);
    yield* forms();
    yield* combinations(formats);
  };
  // Compiles what all uploads run.
  for (let left = 20; left > 0; left--) await send(upload('png', 'warm', tinyPng(++requests)));
  for (const input of inputs()) {
    let best = await measure(input);
    for (let left = ATTEMPTS - 1; left > 0 && best.longest > LONGEST; left--) {
      const { longest, total } = await measure(input);
      best = { longest: Math.min(longest, best.longest), total: Math.min(total, best.total) };
    }
    const { format, name, bytes } = input;
    rows.push({ format, name, bytes, ...best });
  }
  const worst = [...Map.groupBy(rows, ({ format }) => format).values()].map((all) => all.reduce((a, b) => (a.longest > b.longest ? a : b)));
  console.log(
    `${rows.length} inputs. For each format, the one with the longest task of the service’s main thread, in milliseconds of CPU time:`,
  );
  console.table(worst.map((row) => ({ ...row, longest: Math.round(row.longest), total: Math.round(row.total) })));
  expect(Math.min(...rows.map(({ total }) => total))).toBeGreaterThan(0);
  expect(rows.filter(({ longest, total, bytes }) => longest > LONGEST || total > TOTAL(bytes))).toEqual([]);
  expect(service.printed()).not.toMatch(/"level":[56]0/);
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the run');
});
