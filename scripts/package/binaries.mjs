// What a program or a native module was built for, read from its header.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nameOf } from './target.mjs';

const ELF_MACHINES = { 62: 'x64', 183: 'arm64' };
const PE_MACHINES = { 34404: 'x64', 43620: 'arm64' };
const MACH_TYPES = { 16777223: 'x64', 16777228: 'arm64' };
const HEADER_BYTES = 4096;

/** The targets, such as `linux-x64`, that a file runs on: several for a universal program, `[]` for a file that isn't machine code. */
export function targetsOf(file) {
  const header = readHeader(file);
  if (header.length < 64) return [];
  const magic = header.readUInt32BE(0);
  if (magic === 0x7f454c46) return [`linux-${ELF_MACHINES[header.readUInt16LE(18)] ?? 'other'}`];
  if (magic === 0xcffaedfe) return [`darwin-${MACH_TYPES[header.readUInt32LE(4)] ?? 'other'}`];
  if (magic === 0xcafebabe) return universal(header);
  if (header.readUInt16BE(0) === 0x4d5a) return windows(header);
  return [];
}

/** Java's class files start like universal programs, but with a version where those have a small number of parts. */
function universal(header) {
  const parts = header.readUInt32BE(4);
  if (parts > 16) return [];
  return Array.from({ length: parts }, (_, index) => `darwin-${MACH_TYPES[header.readUInt32BE(8 + index * 20)] ?? 'other'}`);
}

function windows(header) {
  const start = header.readUInt32LE(0x3c);
  if (start + 6 > header.length || header.readUInt32BE(start) !== 0x50450000) return [];
  return [`win32-${PE_MACHINES[header.readUInt16LE(start + 4)] ?? 'other'}`];
}

function readHeader(file) {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Every file of machine code below a folder, with the targets it runs on. */
export function binariesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path), targets: targetsOf(path) }))
    .filter(({ targets }) => targets.length > 0);
}

/** Throws an error that lists the files below a folder that don't run on the target. */
export function requireTarget(folder, target) {
  const foreign = binariesIn(folder).filter(({ targets }) => !targets.includes(nameOf(target)));
  if (foreign.length === 0) return;
  const list = foreign.map(({ path, targets }) => `  ${path} is for ${targets.join(' and ')}`);
  throw new Error(`The package for ${nameOf(target)} would contain files that don't run there:\n${list.join('\n')}`);
}
