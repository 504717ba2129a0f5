import { windowsTool } from '#main/base/system/env.ts';
import type { Run } from './run.ts';

/** The name of the program that listens on a TCP port; undefined when the system doesn't reveal it to this user. Takes up to a few seconds. */
export async function portHolder(port: number, platform: NodeJS.Platform, run: Run): Promise<string | undefined> {
  if (platform === 'win32') return onWindows(port, run);
  if (platform === 'darwin') return nameInLsof(await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fc']));
  const sockets = await run('ss', ['-Hltnp', `sport = :${port}`]);
  return /users:\(\("([^"]+)"/.exec(sockets ?? '')?.[1];
}

/** `lsof -Fc` writes one field per line, each with its letter first. */
function nameInLsof(output: string | undefined) {
  return /^c(.+)$/m.exec(output ?? '')?.[1];
}

async function onWindows(port: number, run: Run) {
  const connections = await run(windowsTool('netstat.exe'), ['-ano', '-p', 'TCP']);
  const line = connections?.split('\n').find((each) => new RegExp(`^\\s*TCP\\s+\\S+:${port}\\s.*LISTENING`).test(each));
  const pid = /(\d+)\s*$/.exec(line ?? '')?.[1];
  if (!pid) return undefined;
  const task = await run(windowsTool('tasklist.exe'), ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']);
  return /^"([^"]+)"/.exec(task?.trim() ?? '')?.[1];
}
