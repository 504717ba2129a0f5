import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { endWithApp } from '#main/base/system/end-with-app.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { type Captured, type CaptureTool, ToolMissing } from './tool.ts';

const execute = promisify(execFile);
const FILE = 'capture.png';
/** Messages of programs that the user has cancelled; they exit with a failure. */
const CANCELLED = /selection cancel|cancelled|canceled|no selection|key press|aborted/i;

/**
 * A program that writes a picture of the screen to a file. It has no time limit: the user may take a long time to select a region.
 * No file means that the user cancelled, unless the program reports another reason.
 * @param again takes a picture of the same region
 */
export function program(name: string, args: (file: string) => string[], again?: CaptureTool): CaptureTool {
  return {
    name,
    needs: [name],
    async capture(folder) {
      const file = join(folder, FILE);
      const { code, message } = await finished(name, args(file));
      if (await isFilled(file)) return { kind: 'file', path: file, ...(again && { again }) };
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

type Command = readonly [name: string, ...args: string[]];

/** One program lets the user select; another one takes the picture of the selection, and can do so again. */
function selection([selector, ...options]: Command, take: (selection: string, file: string) => Command): CaptureTool {
  const [name] = take('', '');
  const taking = (selected: string): CaptureTool => ({
    name,
    async capture(folder): Promise<Captured> {
      const path = join(folder, FILE);
      const [, ...args] = take(selected, path);
      await run(name, args).catch(missing(name));
      return { kind: 'file', path, again: taking(selected) };
    },
  });
  return {
    name,
    needs: [selector, name],
    async capture(folder) {
      const selected = await run(selector, options)
        .then(({ stdout }) => stdout.trim())
        .catch((error: { stderr?: string }) => {
          if (CANCELLED.test(error.stderr ?? '')) return undefined;
          return missing(selector)(error);
        });
      return selected ? taking(selected).capture(folder) : undefined;
    },
  };
}

export const grimAndSlurp = selection(['slurp'], (region, file) => ['grim', '-g', region, file]);
const slopAndMaim = selection(['slop', '--format=%g'], (region, file) => ['maim', `--geometry=${region}`, file]);
/** The window that is clicked. However far the pointer moves until the button is released, it is a click. */
export const maimWindow = selection(['slop', '--tolerance=99999', '--format=%i'], (window, file) => ['maim', `--window=${window}`, file]);

const maimAlone = program('maim', (file) => ['--select', file]);
/** maim can select without slop, which some systems package separately, but doesn’t say which region it was; it can't be captured again. */
export const maim: CaptureTool = {
  name: 'maim',
  capture: (folder) =>
    slopAndMaim.capture(folder).catch((error: unknown) => {
      if (error instanceof ToolMissing) return maimAlone.capture(folder);
      throw error;
    }),
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
