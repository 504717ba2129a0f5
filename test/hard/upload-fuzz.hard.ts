import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { ERROR_STATUS } from '#api/errors.ts';
import { KNOWN_EXTS } from '#api/formats.ts';
import { watchMemory } from '#test/helpers/programs/process-tree.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp } from '#test/helpers/service/service.ts';
import { formOf, sendRaw } from './forms.ts';
import { corpus, mutate } from './pictures.ts';
import { Random, setting } from './random.ts';
import { expectSound, filesIn } from './subject.ts';

const INPUTS = setting('INPUTS');
/** For one input on a busy computer; usually, a few milliseconds pass. */
const LIMIT_MS = 30_000;
/** HEIC and AVIF take up to a gibibyte (decision 044). */
const MAX_MEMORY_MB = 1_200;

const dataDir = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const service = await startChildService(dataDir);
const memory = watchMemory(service.pid);
afterAll(async () => {
  memory[Symbol.dispose]();
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

it(`stores or refuses each of ${INPUTS} uploads, leaves nothing behind, and stays up`, { timeout: INPUTS * LIMIT_MS }, async () => {
  const owner = await setUp(service);
  const groups = (await owner.client.call(listGroups, { query: {} })).items.filter(({ kind }) => kind !== 'guest');
  for (const { id } of groups)
    await owner.client.call(changeGroup, { params: { id: String(id) }, body: { allowed_exts: [...KNOWN_EXTS] } });
  const token = await owner.token('upload');
  const pictures = await corpus();
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  let slowest = 0;

  for (let input = 0; input < INPUTS; input++) {
    // A stream of its own for each input, so that one can be repeated alone.
    const random = new Random(`upload ${input}`);
    const original = random.pick(pictures);
    const picture = random.chance(0.85) ? mutate(random, original, pictures) : original;
    const form = formOf(random, picture, token);
    const started = performance.now();
    const response = await sendRaw(service.url, form, LIMIT_MS).catch((error: Error) => error.message);
    slowest = Math.max(slowest, performance.now() - started);
    const outcome = outcomeOf(response);
    counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
    if (outcome.kind === 'wrong' || (outcome.kind === 'none' && !form.isCut)) wrong.push(`input ${input}: ${JSON.stringify(response)}`);
    if (outcome.links) wrong.push(...(await faultsOf(outcome.links, input)));
  }

  const peak = memory.peak();
  console.log(`${JSON.stringify(counts)}; slowest ${Math.round(slowest)} ms; memory at most ${Math.round(peak)} MB`);
  expect(wrong).toEqual([]);
  expect(counts.stored ?? 0).toBeGreaterThan(0);
  expect(peak).toBeLessThan(MAX_MEMORY_MB);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await expect.poll(() => filesIn(dataDir, 'tmp')).toEqual([]);
  expect(await service.stop()).toBe(0);
  await expectSound(dataDir, 'after the run');
});

interface Outcome {
  /** `stored`, the code of a refusal, `none` without a response, or `wrong`. */
  kind: string;
  links?: { url: string; thumbnail_url: string };
}

function outcomeOf(response: { status: number; body: string } | string | undefined): Outcome {
  if (response === undefined) return { kind: 'none' };
  if (typeof response === 'string') return { kind: 'wrong' };
  try {
    const { status, message, data } = JSON.parse(response.body);
    if (response.status === 200 && status === true) return { kind: 'stored', links: data.links };
    const code = data.code as keyof typeof ERROR_STATUS;
    const isProper = status === false && message.length > 7 && code !== 'internal' && ERROR_STATUS[code] === response.status;
    return { kind: isProper ? code : 'wrong' };
  } catch {
    return { kind: 'wrong' };
  }
}

/** A stored picture opens, and has a thumbnail or a proper reason for none. */
async function faultsOf({ url, thumbnail_url }: NonNullable<Outcome['links']>, input: number): Promise<string[]> {
  const faults: string[] = [];
  for (const link of [url, `${thumbnail_url}?w=400`]) {
    const { pathname, search } = new URL(link);
    const response = await fetch(`${service.url}${pathname}${search}`, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    if (response.status >= 500) faults.push(`input ${input}: ${link} → ${response.status}`);
  }
  return faults;
}
