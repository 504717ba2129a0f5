import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const script = await import('../../scripts/package/mach-uuid.mjs' as string);
const { writeUuids } = script as { writeUuids(file: string, seed: string): void };

/** Programs that Apple's linker made. */
const ARM64 = prebuild('darwin-arm64');
const X64 = prebuild('darwin-x64');
function prebuild(name: string) {
  return readFileSync(join(import.meta.dirname, '../../node_modules/better-sqlite3/prebuilds', `${name}.node`));
}

/** The command before a UUID: LC_UUID, and its length of 24 bytes. */
const UUID_COMMAND = Buffer.from('1b00000018000000', 'hex');

/** The UUIDs in a file, one per part, after checking that nothing else differs from before. */
function uuidsOf(after: Buffer, before: Buffer, parts: readonly number[]): string[] {
  const rest = Buffer.from(after);
  const uuids = parts.map((start) => {
    const place = after.indexOf(UUID_COMMAND, start) + UUID_COMMAND.length;
    before.copy(rest, place, place, place + 16);
    return after.toString('hex', place, place + 16);
  });
  expect(rest.equals(before)).toBe(true);
  return uuids;
}

function written(program: Buffer, seed: string): Buffer {
  const file = join(temporaryFolder(), 'program');
  writeFileSync(file, program);
  writeUuids(file, seed);
  return readFileSync(file);
}

const uuid = (program: Buffer, seed: string) => uuidsOf(written(program, seed), program, [0])[0];

test('a program gets a valid UUID that depends on the seed and the processor only', () => {
  const [first] = uuidsOf(ARM64, ARM64, [0]);
  const made = uuid(ARM64, 'org.pixdock.desktop Pixdock');
  expect(made).toMatch(/^[\da-f]{12}8[\da-f]{3}[89ab][\da-f]{15}$/);
  expect(made).not.toBe(first);
  expect(uuid(written(ARM64, 'another'), 'org.pixdock.desktop Pixdock')).toBe(made);
  expect(uuid(ARM64, 'org.pixdock.desktop Pixdock Helper')).not.toBe(made);
  expect(uuid(X64, 'org.pixdock.desktop Pixdock')).not.toBe(made);
});

test.each([
  [0xcafebabe, 20],
  [0xcafebabf, 32],
])('each part of a universal program gets its own: %x', (magic, entryBytes) => {
  const parts = [ARM64, X64];
  const starts = [16_384, 16_384 * 2 + Math.ceil(ARM64.length / 16_384) * 16_384];
  const universal = Buffer.alloc((starts[1] ?? 0) + X64.length);
  universal.writeUInt32BE(magic, 0);
  universal.writeUInt32BE(parts.length, 4);
  for (const [index, part] of parts.entries()) {
    const start = starts[index] ?? 0;
    const entry = 8 + index * entryBytes;
    if (entryBytes === 20) universal.writeUInt32BE(start, entry + 8);
    else universal.writeBigUInt64BE(BigInt(start), entry + 8);
    part.copy(universal, start);
  }
  expect(uuidsOf(written(universal, 'seed'), universal, starts)).toEqual([uuid(ARM64, 'seed'), uuid(X64, 'seed')]);
});

test('anything else is refused, and left as it is', () => {
  const withoutUuid = Buffer.from(X64);
  withoutUuid.writeUInt32LE(0x26, withoutUuid.indexOf(UUID_COMMAND));
  const refused = [
    [withoutUuid, /has no UUID/],
    [prebuild('linux-x64'), /isn't a 64-bit program for macOS/],
    [X64.subarray(0, 40), /isn't a 64-bit program for macOS/],
    [Buffer.from('#!/bin/sh\n'), /isn't a 64-bit program for macOS/],
  ] as const;
  for (const [content, message] of refused) {
    const file = join(temporaryFolder(), 'program');
    writeFileSync(file, content);
    expect(() => writeUuids(file, 'seed')).toThrow(message);
    expect(readFileSync(file).equals(content)).toBe(true);
  }
});
