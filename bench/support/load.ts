// Load from the second core, and what is made of the figures.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, type Server } from './programs.ts';

/** What is asked for, again and again: one address, or several of one server in turn. */
export interface Target {
  server: Server;
  urls: string[];
  headers?: Record<string, string>;
  /** The status that every answer must have; 200 where absent. */
  status?: number;
}

export const CONNECTIONS = 16;

/** @throws with a sentence when wrk is not here: programs in JavaScript would be the bottleneck themselves */
export function requireWrk(): void {
  if (!hasProgram('wrk')) throw new Error('wrk is not installed: the load cannot be made. On Debian: apt-get install wrk.');
}

/** Asks once whether the answer is the expected one: a fast refusal is no result. @throws when it is not */
export async function requireAnswers({ urls, headers = {}, status = 200 }: Target): Promise<void> {
  for (const url of urls) {
    const answer = await fetch(url, { headers });
    const { length } = await answer.bytes();
    if (answer.status !== status || (status === 200 && length < 1_000)) throw new Error(`${url}: status ${answer.status}, ${length} bytes`);
  }
}

/** What one round has shown. */
export interface Round {
  perSecond: number;
  /** Processor time of the server for one request, in microseconds: what others do on the machine disturbs it less than the rate. */
  cpuMicros: number;
}

/** @param folder where the script for wrk may be written */
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

/** One of the two cores for a program, where the system can pin it. */
export function pinned(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return hasProgram('taskset') ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

/** A script for wrk that asks for several addresses in turn. */
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
