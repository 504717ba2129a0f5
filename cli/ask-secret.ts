import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Interrupted } from './errors.ts';

/** In characters; a longer input is a file piped in by mistake. */
const MAX_LENGTH = 4096;

/** Reads a secret: typed at the terminal without echo, or the first line of a pipe. */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return askOnTerminal(question);
  const piped = await text(process.stdin);
  return piped.slice(0, MAX_LENGTH).split(/\r?\n/, 1)[0] ?? '';
}

function askOnTerminal(question: string): Promise<string> {
  // readline echoes input to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now, when the terminal no longer echoes.
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    terminal.once('line', resolve);
    terminal.once('SIGINT', () => reject(new Interrupted()));
    // Also at the end of input (Ctrl-D), where no line comes.
    terminal.once('close', () => resolve(''));
  }).finally(() => {
    terminal.close();
    process.stderr.write('\n');
  });
}
