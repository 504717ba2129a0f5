// Gives a macOS program a UUID of its own. The one that Electron ships is the same in every app made from that version.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** From Apple's mach-o/loader.h; programs are little-endian. Offsets in the header and in a command. */
const PROGRAM = { magic: 0xfeedfacf, processor: 4, commandCount: 16, commandBytes: 20, headerBytes: 32 };
const COMMAND = { isUuid: 0x1b, size: 4, uuid: 8 };
/** From Apple's mach-o/fat.h: universal programs begin with a big-endian table of their parts. */
const UNIVERSAL = [
  { magic: 0xcafebabe, entryBytes: 20, start: (entry) => entry.readUInt32BE(8) },
  { magic: 0xcafebabf, entryBytes: 32, start: (entry) => Number(entry.readBigUInt64BE(8)) },
];

/**
 * Replaces a program's UUID, in each part of a universal one, by one made from `seed` and the processor, the same in every build. Signatures
 * become invalid. Throws when the file isn't a program for macOS, or a part of it has no UUID.
 */
export function writeUuids(file, seed) {
  const descriptor = openSync(file, 'r+');
  try {
    const places = partsOf(descriptor, file).map((start) => findUuid(descriptor, start, file));
    for (const { offset, processor } of places) {
      const uuid = makeUuid(`${seed} ${processor}`);
      writeSync(descriptor, uuid, 0, uuid.length, offset);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Where the file's programs start. */
function partsOf(descriptor, file) {
  const header = read(descriptor, 0, 8, file);
  const universal = UNIVERSAL.find(({ magic }) => header.readUInt32BE(0) === magic);
  if (!universal) return [0];
  const { entryBytes, start } = universal;
  const table = read(descriptor, 8, header.readUInt32BE(4) * entryBytes, file);
  return Array.from({ length: table.length / entryBytes }, (_, index) => start(table.subarray(index * entryBytes)));
}

function findUuid(descriptor, start, file) {
  const header = read(descriptor, start, PROGRAM.headerBytes, file);
  if (header.readUInt32LE(0) !== PROGRAM.magic) throw new Error(`${file} isn't a 64-bit program for macOS.`);
  const commands = read(descriptor, start + PROGRAM.headerBytes, header.readUInt32LE(PROGRAM.commandBytes), file);
  let at = 0;
  for (let left = header.readUInt32LE(PROGRAM.commandCount); left > 0; left -= 1) {
    if (commands.readUInt32LE(at) === COMMAND.isUuid)
      return { offset: start + PROGRAM.headerBytes + at + COMMAND.uuid, processor: header.readUInt32LE(PROGRAM.processor) };
    at += commands.readUInt32LE(at + COMMAND.size);
  }
  throw new Error(`${file} has no UUID.`);
}

function read(descriptor, start, length, file) {
  const bytes = Buffer.alloc(length);
  if (readSync(descriptor, bytes, 0, length, start) < length) throw new Error(`${file} isn't a 64-bit program for macOS.`);
  return bytes;
}

/** Version 8 of RFC 9562: from a hash of our own choice. */
function makeUuid(seed) {
  const uuid = createHash('sha256').update(seed).digest().subarray(0, 16);
  uuid[6] = (uuid[6] & 0x0f) | 0x80;
  uuid[8] = (uuid[8] & 0x3f) | 0x80;
  return uuid;
}
