import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { endWithApp } from '#main/base/system/end-with-app.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type Captured, type RegionTool, ToolMissing } from './region.ts';

const execute = promisify(execFile);
const FILE = 'region.png';
/** Messages of programs that the user has cancelled; they exit with a failure. */
const CANCELLED = /selection cancel|cancelled|canceled|no selection|key press|aborted/i;

/**
 * A program that lets the user select a region and writes it to a file. It has no time limit: the user may take a long time.
 * No file means that the user cancelled, unless the program reports another reason.
 */
export function program(name: string, args: (file: string) => string[]): RegionTool {
  return {
    name,
    async capture(folder) {
      const file = join(folder, FILE);
      const { code, message } = await finished(name, args(file));
      if (await isFilled(file)) return { kind: 'file', path: file };
      if (code !== 0 && message !== '' && !CANCELLED.test(message)) throw new Error(message);
      return undefined;
    },
  };
}

async function finished(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  endWithApp(child);
  const [message, code] = await Promise.all([text(child.stderr), once(child, 'exit').then(([status]) => status as number | null)]).catch(
    missing(command),
  );
  return { code, message: lastLine(message) };
}

function run(command: string, args: readonly string[] = []) {
  const running = execute(command, args);
  endWithApp(running.child);
  return running;
}

/** grim takes the picture of the region that slurp asks for. */
export const grimAndSlurp: RegionTool = {
  name: 'grim',
  async capture(folder): Promise<Captured | undefined> {
    const region = await run('slurp')
      .then(({ stdout }) => stdout.trim())
      .catch((error: { stderr?: string }) => {
        if (CANCELLED.test(error.stderr ?? '')) return undefined;
        return missing('slurp')(error);
      });
    if (!region) return undefined;
    const path = join(folder, FILE);
    await run('grim', ['-g', region, path]).catch(missing('grim'));
    return { kind: 'file', path };
  },
};

/** Turns the error of a program that isn't installed into {@link ToolMissing}. */
function missing(command: string) {
  return (error: unknown): never => {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new ToolMissing(`${command} is not installed.`);
    throw stderr ? new Error(lastLine(stderr), { cause: error }) : error;
  };
}

async function isFilled(file: string) {
  const found = await ifMissing(stat(file), undefined);
  return found !== undefined && found.size > 0;
}

function lastLine(output: string) {
  return output.trim().split('\n').at(-1) ?? '';
}
