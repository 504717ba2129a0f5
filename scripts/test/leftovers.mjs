// Processes that have outlived the run that started them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until no process has `marker` in the environment that it was started with; returns those that remain after `milliseconds`. Windows shows none. */
export async function leftovers(marker, milliseconds) {
  for (const end = Date.now() + milliseconds; ; await sleep(100)) {
    const found = list().filter(({ pid, environment }) => pid !== process.pid && environment.includes(marker));
    // An environment may contain secrets.
    if (!found.length || Date.now() >= end) return found.map(({ pid, command }) => ({ pid, command }));
  }
}

function list() {
  if (process.platform === 'linux') return readdirSync('/proc').filter(Number).flatMap(readProcess);
  if (process.platform !== 'darwin') return [];
  const { stdout } = spawnSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line.slice(0, 300), environment: line }));
}

/** None when it has ended, or belongs to another user. */
function readProcess(pid) {
  try {
    const [command, environment] = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' '));
    return [{ pid: Number(pid), command, environment }];
  } catch {
    return [];
  }
}
