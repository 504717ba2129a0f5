import { execFileSync } from 'node:child_process';

/** Whether a program is installed here. */
export function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
