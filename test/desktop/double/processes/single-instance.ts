import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A second start's message to the first. */
export interface SecondStart {
  argv: string[];
  workingDirectory: string;
}

/** The lock between real processes that share a data folder. Returns false when another process holds it, after notifying that process. */
export function takeLock(userData: string, onSecond: (start: SecondStart) => void): boolean {
  const folder = join(userData, 'SingletonDouble');
  const lock = join(folder, 'lock');
  mkdirSync(folder, { recursive: true });
  if (existsSync(lock) && isAlive(Number(readFileSync(lock, 'utf8')))) {
    notifyFirst(folder, { argv: process.argv, workingDirectory: process.cwd() });
    return false;
  }
  writeFileSync(lock, String(process.pid));
  process.on('exit', () => rmSync(lock, { force: true }));
  watch(folder, (_kind, name) => {
    const file = name?.endsWith('.json') ? join(folder, name) : undefined;
    if (!file || !existsSync(file)) return;
    const start = JSON.parse(readFileSync(file, 'utf8')) as SecondStart;
    rmSync(file);
    onSecond(start);
  }).unref();
  return true;
}

function notifyFirst(folder: string, start: SecondStart) {
  const draft = join(folder, `${process.pid}.tmp`);
  writeFileSync(draft, JSON.stringify(start));
  renameSync(draft, join(folder, `${process.pid}.json`));
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
