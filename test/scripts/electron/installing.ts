import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import type { WebServer } from '#test/helpers/network/web-server.ts';
import { linkModules, writeElectronPackage } from '#test/helpers/programs/electron-package.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, type ProgramOptions, runProgram } from '#test/helpers/programs/programs.ts';

const INSTALL = pathToFileURL(join(import.meta.dirname, '../../../scripts/electron/install.mjs')).href;
/** Parts of the environment variables that help with the network. */
export const VARIABLES = ['_PROXY', 'ELECTRON_MIRROR', 'ELECTRON_OVERRIDE_DIST_PATH'];

/** A computer on which Electron's package is installed, without its program. */
export async function setUp(bytes?: number) {
  const home = temporaryFolder();
  linkModules(join(home, 'node_modules'), ['@electron', '@electron-internal']);
  const electron = await writeElectronPackage(join(home, 'node_modules'), bytes);
  return { home, electron, cache: join(home, 'cache'), partial: join(home, 'cache', `${electron.name}.part`) };
}
export type Computer = Awaited<ReturnType<typeof setUp>>;

interface Circumstances extends Pick<ProgramOptions, 'env' | 'onStart'> {
  stallMs?: number;
}

/** Installs Electron from a mirror; returns the explanation of a failure, and what was shown meanwhile. */
export async function install({ home, electron, cache }: Computer, mirror: string, { env, stallMs = 30_000, onStart }: Circumstances = {}) {
  const options = JSON.stringify({ folder: electron.folder, stallMs });
  const code = `const { installElectron } = await import('${INSTALL}'); console.log((await installElectron(${options})) ?? '');`;
  const { stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...homeEnv(home), electron_config_cache: cache, ELECTRON_MIRROR: `${mirror}/`, ...env },
    onStart,
  });
  return { failure: stdout.trim(), shown: stderr };
}

export const isInstalled = ({ electron }: Computer) => existsSync(join(electron.folder, 'path.txt'));
export const rangesOf = ({ requests }: WebServer) => requests.map(({ headers }) => headers.range);
export const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Sends the archive, or the rest of it that is asked for, up to byte `end`. The response says that it goes to the end. */
export function send(archive: Buffer, request: IncomingMessage, response: ServerResponse, end = archive.length) {
  const [, asked] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(asked ?? 0);
  if (asked && start >= archive.length) return response.writeHead(416, { 'content-range': `bytes */${archive.length}` }).end();
  const range = asked && { 'content-range': `bytes ${start}-${archive.length - 1}/${archive.length}` };
  response.writeHead(asked ? 206 : 200, { 'content-length': archive.length - start, ...range });
  return end < archive.length ? response.write(archive.subarray(start, end)) : response.end(archive.subarray(start));
}

/** Breaks a connection once the client has written what was sent. */
export async function breakAt(size: number, { partial }: Computer, response: ServerResponse) {
  await vi.waitUntil(() => sizeOf(partial) >= size, { timeout: 20_000 });
  response.destroy();
}

/** Leaves the first bytes of the archive, or of another file, in the cache, as an interrupted download does. */
export function leavePart({ cache, partial, electron }: Computer, bytes = electron.archive.subarray(0, 15_360)) {
  mkdirSync(cache);
  writeFileSync(partial, bytes);
}
