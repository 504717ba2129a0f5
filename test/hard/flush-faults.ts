import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import type { Random } from './random.ts';

/** What is flushed: SQLite's log, its database, other files of the data folder, folders, and all of the backups. In the order of the library. */
export const KINDS = ['log', 'database', 'files', 'folders', 'backups'] as const;
type Kind = (typeof KINDS)[number];

interface Fault {
  /** The share of flushes that fail with EIO. */
  failing?: number;
  /** The share that is delayed, by up to `maxMs`. */
  delayed?: number;
  maxMs?: number;
}

/** The faults of each kind of flush. */
export type Plan = Partial<Record<Kind, Fault>>;

/** How many flushes there were of a kind, and how many of them failed or were delayed. */
export type Counts = Record<'flushes' | 'failures' | 'delays', number>;

/** Faults in the flushes of programs that are started with `env`. */
export interface FlushFaults {
  env: Record<string, string>;
  /** The same for a program whose own flushes succeed. */
  envWithoutFaults: Record<string, string>;
  set(plan: Plan): void;
  counts(): Record<Kind, Counts>;
  /**
   * Call it when the power has been cut and the disk is mounted again: overwrites what failed flushes have lost, and returns how many bytes.
   * Of a page that a failed flush couldn't write, Linux keeps only what is in memory; later flushes leave it out unless something is written to it again.
   */
  lose(): number;
}

interface Places {
  /** The folder of the disk. */
  disk: string;
  dataDir: string;
  backups: string;
}

const SOURCE = join(import.meta.dirname, 'flush-faults.c');
/** The structures of the library. */
const [HEADER_BYTES, FAULT_BYTES, EVENT_BYTES] = [8, 24, 32];
const [CREATED, WRITTEN, FLUSHED] = [0, 1, 2];
const PAGE_BYTES = 4096;

/** Until the end of the test, or why that isn't possible. */
export function openFlushFaults({ disk, dataDir, backups }: Places, random: Random): FlushFaults | string {
  if (!has('cc')) return 'Making flushes fail needs a C compiler (cc).';
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const [library, control, none, events] = [file('faults.so'), file('control'), file('none'), file('events')];
  const compiled = spawnSync('cc', ['-O1', '-Wall', '-shared', '-fPIC', '-o', library, SOURCE], { encoding: 'utf8' });
  if (compiled.status !== 0) return `Making flushes fail needs a C compiler: ${compiled.stderr.trim()}`;
  const state = Buffer.alloc(HEADER_BYTES + KINDS.length * FAULT_BYTES);
  state.writeUInt32LE(random.below(2 ** 32));
  for (const path of [control, none]) writeFileSync(path, state);
  writeFileSync(events, '');
  const env = {
    LD_PRELOAD: library,
    PIXDOCK_FLUSH_CONTROL: control,
    PIXDOCK_FLUSH_EVENTS: events,
    PIXDOCK_FLUSH_ROOT: dataDir,
    PIXDOCK_FLUSH_BACKUPS: backups,
  };

  return {
    env,
    envWithoutFaults: { ...env, PIXDOCK_FLUSH_CONTROL: none },

    set(plan) {
      const file = openSync(control, 'r+');
      for (const [index, kind] of KINDS.entries()) {
        const { failing = 0, delayed = 0, maxMs = 0 } = plan[kind] ?? {};
        writeSync(file, Uint32Array.of(failing * 1000, delayed * 1000, maxMs), 0, 12, HEADER_BYTES + index * FAULT_BYTES);
      }
      closeSync(file);
    },

    counts() {
      const found = readFileSync(control);
      const counts = KINDS.map((kind, index): [Kind, Counts] => {
        const at = HEADER_BYTES + index * FAULT_BYTES + 12;
        return [kind, { flushes: found.readUInt32LE(at), failures: found.readUInt32LE(at + 4), delays: found.readUInt32LE(at + 8) }];
      });
      return Object.fromEntries(counts) as Record<Kind, Counts>;
    },

    lose() {
      const lost = lostIn(readFileSync(events));
      truncateSync(events);
      let bytes = 0;
      for (const entry of readdirSync(disk, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const ranges = entry.isFile() ? lost.get(BigInt(statSync(path).ino)) : undefined;
        if (ranges) bytes += overwrite(path, ranges);
      }
      return bytes;
    },
  };
}

interface Range {
  from: number;
  to: number;
}

/** What of each file, by inode, isn't on the disk because a flush has failed. */
function lostIn(events: Buffer): Map<bigint, Range[]> {
  const dirty = new Map<bigint, Range[]>();
  /** By page. */
  const lost = new Map<bigint, Map<number, Range[]>>();
  for (let at = 0; at < events.length; at += EVENT_BYTES) {
    const type = Number(events.readBigUInt64LE(at));
    const inode = events.readBigUInt64LE(at + 8);
    const from = Number(events.readBigUInt64LE(at + 16));
    if (type === CREATED) {
      dirty.delete(inode);
      lost.delete(inode);
      continue;
    }
    if (type === WRITTEN) {
      const range = { from, to: from + Number(events.readBigUInt64LE(at + 24)) };
      const ranges = dirty.get(inode);
      if (ranges) ranges.push(range);
      else dirty.set(inode, [range]);
      continue;
    }
    const pages = lost.get(inode) ?? new Map<number, Range[]>();
    lost.set(inode, pages);
    for (const range of dirty.get(inode) ?? []) {
      for (const { page, part } of pagesOf(range)) {
        // A page is written as a whole, with what was lost of it before.
        if (type === FLUSHED) pages.delete(page);
        else pages.set(page, [...(pages.get(page) ?? []), part]);
      }
    }
    dirty.delete(inode);
  }
  return new Map([...lost].map(([inode, pages]) => [inode, [...pages.values()].flat()]));
}

function* pagesOf({ from, to }: Range) {
  for (let at = from; at < to; ) {
    const page = Math.floor(at / PAGE_BYTES);
    const end = Math.min(to, (page + 1) * PAGE_BYTES);
    yield { page, part: { from: at, to: end } };
    at = end;
  }
}

/** Overwrites parts of a file as far as they exist. Returns how many bytes. */
function overwrite(path: string, ranges: readonly Range[]): number {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  let bytes = 0;
  for (const { from, to } of ranges) {
    const length = Math.min(to, size) - from;
    if (length > 0) bytes += writeSync(file, Buffer.alloc(length), 0, length, from);
  }
  fsyncSync(file);
  closeSync(file);
  return bytes;
}
