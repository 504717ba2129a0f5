// Load from the second core, and the evaluation of its figures.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, type Server } from './programs.ts';

/** The repeated request: one address, or several of one server in turn. */
export interface Target {
  server: Server;
  urls: string[];
  headers?: Record<string, string>;
  /** The status that every response must have; 200 by default. */
  status?: number;
}

export const CONNECTIONS = 16;

/** @throws with a message if wrk isn't installed: a JavaScript program would be the bottleneck itself */
export function requireWrk(): void {
  if (!hasProgram('wrk')) throw new Error("wrk isn't installed, so there is no load generator. On Debian: apt-get install wrk.");
}

/** Checks once that the response is the expected one: a fast error isn't a result. @throws if it isn't */
export async function requireResponses({ urls, headers = {}, status = 200 }: Target): Promise<void> {
  for (const url of urls) {
    const response = await fetch(url, { headers });
    const { length } = await response.bytes();
    if (response.status !== status || (status === 200 && length < 1_000))
      throw new Error(`${url}: status ${response.status}, ${length} bytes`);
  }
}

/** The result of one round. */
export interface Round {
  perSecond: number;
  /** The server's CPU time per request, in microseconds: other load on the machine affects it less than the rate. */
  cpuMicros: number;
}

/** @param folder for wrk's script */
export function load({ server, urls, headers = {} }: Target, seconds: number, folder: string): Round {
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ];
  if (urls.length > 1) args.push('-s', scriptFor(urls, folder));
  const before = server.cpuSeconds();
  const { stdout, stderr, status } = spawnSync(...pinned(1, 'wrk', [...args, urls[0] as string]), { encoding: 'utf8' });
  const [, requests] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  if (status !== 0 || !rate || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`${urls[0]}: ${stdout}${stderr}`);
  return { perSecond: Number(rate), cpuMicros: ((server.cpuSeconds() - before) / Number(requests)) * 1e6 };
}

/** Pins a program to one of the two cores, if the system can. */
export function pinned(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return hasProgram('taskset') ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

/** A script for wrk that requests several addresses in turn. */
function scriptFor(urls: string[], folder: string): string {
  const path = join(folder, 'in-turn.lua');
  const paths = urls.map((url) => JSON.stringify(new URL(url).pathname));
  writeFileSync(
    path,
    `local requests, at = {}, 0
function init()
  for i, path in ipairs({ ${paths.join(', ')} }) do requests[i] = wrk.format("GET", path) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`,
  );
  return path;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
