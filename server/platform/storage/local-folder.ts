import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { FolderProblem } from '#api/errors.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { writeDurably } from '#server/platform/files/durable.ts';
import { isMissing } from '#server/platform/files/missing.ts';

/**
 * Prepares a folder for images and returns its real path: absolute, new or empty, writable, and apart from the other
 * folders that Pixdock uses.
 * @param others real paths of those
 * @throws InvalidRequestError with the field `folder`
 */
export async function preparePolicyFolder(path: string, others: readonly string[]): Promise<string> {
  if (!isAbsolute(path) || path.includes('\0')) throw wrong('folder_not_absolute', 'Enter an absolute path.');
  requireApart(await realPathOf(path), others); // before anything is created there
  const folder = await create(path);
  requireApart(folder, others);
  // Foreign files among the images could be taken for ours, or ours for foreign ones.
  if ((await readdir(folder)).length > 0)
    throw wrong('folder_not_empty', 'This folder isn’t empty. Choose an empty one, or enter a new name.');
  await requireWritable(folder);
  return folder;
}

function requireApart(folder: string, others: readonly string[]) {
  if (others.some((taken) => isWithin(folder, taken) || isWithin(taken, folder)))
    throw wrong('folder_in_use', 'This folder contains or is inside one that Pixdock already uses. Choose a separate one.');
}

/** The real path that a folder will have once it is created. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) return path; // creating it reports the problem
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

async function create(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const folder = await realpath(path);
    await access(folder, constants.R_OK | constants.W_OK);
    return folder;
  } catch (error) {
    throw unusable('use', error as NodeJS.ErrnoException);
  }
}

async function requireWritable(folder: string) {
  const probe = join(folder, `${randomUUID()}.probe`);
  try {
    await writeDurably(probe, 'can this be written?');
  } catch (error) {
    throw unusable('write to', error as NodeJS.ErrnoException);
  } finally {
    await rm(probe, { force: true });
  }
}

/** Whether `path` is `folder` or lies inside it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file with this name already exists',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the path is too long',
};

function unusable(doWhat: string, { code = 'unknown' }: NodeJS.ErrnoException) {
  const problem = /^(EACCES|EPERM|EROFS)$/.test(code) ? 'folder_denied' : 'folder_unusable';
  return wrong(problem, `Pixdock can’t ${doWhat} this folder: ${REASONS[code] ?? `system error ${code}`}.`);
}

const wrong = (problem: FolderProblem, message: string) => new InvalidRequestError(message, { field: 'folder', problem });
