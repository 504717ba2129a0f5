import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
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
  if (!isAbsolute(path) || path.includes('\0')) throw wrong('Enter an absolute path.');
  requireApart(await realPathOf(path), others); // before anything is created there
  const folder = await create(path);
  requireApart(folder, others);
  // Foreign files among the images could be taken for ours, or ours for foreign ones.
  if ((await readdir(folder)).length > 0) throw wrong('This folder isn’t empty. Choose an empty one, or enter a new name.');
  await requireWritable(folder);
  return folder;
}

function requireApart(folder: string, others: readonly string[]) {
  if (others.some((taken) => isWithin(folder, taken) || isWithin(taken, folder)))
    throw wrong('This folder contains or is inside one that Pixdock already uses. Choose a separate one.');
}

/** The real path that a folder will have once it is created. */
async function realPathOf(path: string): Promise<string> {
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
    throw wrong(`Pixdock can’t use this folder: ${reasonOf(error as NodeJS.ErrnoException)}.`);
  }
}

async function requireWritable(folder: string) {
  const probe = join(folder, `${randomUUID()}.probe`);
  try {
    await writeDurably(probe, 'can this be written?');
  } catch (error) {
    throw wrong(`Pixdock can’t write to this folder: ${reasonOf(error as NodeJS.ErrnoException)}.`);
  } finally {
    await rm(probe, { force: true });
  }
}

/** Whether `path` is `folder` or lies inside it. */
function isWithin(path: string, folder: string): boolean {
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

const reasonOf = ({ code = 'unknown' }: NodeJS.ErrnoException) => REASONS[code] ?? `system error ${code}`;

const wrong = (message: string) => new InvalidRequestError(message, { field: 'folder' });
