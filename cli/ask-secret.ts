import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Interrupted } from './errors.ts';
import type { Io } from './io.ts';

/** In characters; a longer input is a file piped in by mistake. */
const MAX_LENGTH = 4096;

/** Reads a secret: typed at the terminal without echo, or the first line of a pipe. */
export async function readSecret(io: Io, question: string): Promise<string> {
  if (io.stdin.isTTY) return askOnTerminal(io, question);
  const piped = await text(io.stdin);
  return piped.slice(0, MAX_LENGTH).split(/\r?\n/, 1)[0] ?? '';
}

function askOnTerminal({ stdin, stderr }: Io, question: string): Promise<string> {
  // readline echoes input to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  const answer = new Promise<string>((resolve, reject) => {
    terminal.once('line', resolve);
    // Of its input.
    terminal.once('error', reject);
    terminal.once('SIGINT', () => reject(new Interrupted()));
    // Also at the end of input (Ctrl-D), where no line comes.
    terminal.once('close', () => resolve(''));
  });
  // Only now, when the terminal no longer echoes.
  stderr.write(question);
  return answer.finally(() => {
    terminal.close();
    stderr.write('\n');
  });
}
