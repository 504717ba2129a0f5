import { type FileHandle, open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

const file = await open(import.meta.filename);
await file.close();

/** What all open files have in common, so that a test can let their flushes fail: `vi.spyOn(fileHandles(), 'datasync')`. The test's end undoes it. */
export function fileHandles(): FileHandle {
  onTestFinished(() => void vi.restoreAllMocks());
  return Object.getPrototypeOf(file);
}

/** The error of a disk that can't be written to. */
export const eio = () => Object.assign(new Error('i/o error'), { code: 'EIO' });
