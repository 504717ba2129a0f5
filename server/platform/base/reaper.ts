import { type ChildProcess, spawn } from 'node:child_process';

/** Reads lines with the pids of the running processes until its input ends, and kills those of the last line after `$1` seconds. */
const SCRIPT = `trap '' INT TERM HUP
while read -r line; do pids=$line; done
[ -z "$pids" ] || { sleep "$1"; kill -KILL $pids; }`;

/**
 * Kills child processes when this one is gone, however it ended and even if they hang: a shell waits for the end of a pipe. On Windows the
 * system does so (decision 113).
 * @param seconds that they have to end on their own
 * @param platform replaced in tests
 * @returns a function that adds a process which has just been started, with its process group if it leads one
 */
export function createReaper(seconds: number, platform = process.platform): (child: ChildProcess, isGroup?: boolean) => void {
  const pids = new Set<number>();
  let shell: ReturnType<typeof start> | undefined;

  function tell() {
    shell ??= start(seconds, () => {
      shell = undefined;
    });
    shell.write(`${[...pids].join(' ')}\n`);
  }

  return (child, isGroup = false) => {
    if (child.pid === undefined || platform === 'win32') return;
    const id = isGroup ? -child.pid : child.pid;
    pids.add(id);
    tell();
    child.once('exit', () => {
      pids.delete(id);
      tell();
    });
  };
}

/** Without a shell, processes end only when they notice that this one is gone. */
function start(seconds: number, onEnd: () => void) {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'pixdock-reaper', String(seconds)], { cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  shell.on('error', onEnd);
  shell.on('exit', onEnd);
  shell.stdin.on('error', () => undefined); // it has ended
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref(): void }).unref();
  return shell.stdin;
}
