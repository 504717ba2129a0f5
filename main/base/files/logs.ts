import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import logging from 'electron-log/node';

/** Bytes above which a log is renamed to `….old.log`, in place of the previous one. */
const MAX_BYTES = 5_000_000;
/** Bytes at the end of a log that {@link Logs.lastServiceLines} reads. */
const TAIL_BYTES = 16_384;

/** The app's log files. Failures to write, such as a full disk, are reported on the console and never thrown. */
export interface Logs {
  /** Absolute path of their folder. */
  folder: string;
  /** Appends the output of a service process to the service's log. */
  follow(output: Readable | null): void;
  /** The last lines of the service's log, oldest first; none when it can't be read. */
  lastServiceLines(count: number): Promise<string[]>;
}

interface Options {
  folder: string;
  /** Whether the service's output also goes to this process's output. */
  echo: boolean;
  maxBytes?: number;
  /** Whose output `main.log` receives. */
  source?: Pick<Console, 'error' | 'warn' | 'info' | 'log'>;
}

/** Keeps a terminal that closes from ending the app: writing to it fails from then on. What is written there is in the log, too. */
export function outliveTerminal(streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}

/** Opens `main.log`, which receives everything that main writes to the console, and `service.log`. */
export function setupLogs({ folder, echo, maxBytes = MAX_BYTES, source = console }: Options): Logs {
  const main = openLog(folder, 'main', '{iso} [{level}] {text}', maxBytes);
  const service = openLog(folder, 'service', '{text}', maxBytes);
  for (const level of ['error', 'warn', 'info', 'log'] as const) {
    const write = source[level].bind(source);
    source[level] = (...data: unknown[]) => {
      write(...data);
      main[level](...data);
    };
  }
  process.on('uncaughtExceptionMonitor', (error) => main.error('Uncaught exception:', error));

  return {
    folder,
    follow(output) {
      if (!output) return;
      output.on('error', (error) => console.error('Couldn’t read the output of the service:', error));
      createInterface({ input: output }).on('line', (line) => {
        service.info(stripVTControlCharacters(line)); // some programs colour their output even in a file
        if (echo) process.stdout.write(`${line}\n`);
      });
    },
    lastServiceLines: (count) =>
      lastLines(join(folder, 'service.log'), count).catch((error: unknown) => {
        console.error('Couldn’t read the log of the service:', error);
        return [];
      }),
  };
}

function openLog(folder: string, name: string, format: string, maxBytes: number) {
  mkdirSync(folder, { recursive: true });
  const log = logging.create({ logId: name });
  log.transports.console.level = false;
  Object.assign(log.transports.file, {
    resolvePathFn: () => join(folder, `${name}.log`),
    format,
    maxSize: maxBytes,
    writeOptions: { flag: 'a', mode: 0o600, encoding: 'utf8' },
  });
  return log;
}

async function lastLines(path: string, count: number): Promise<string[]> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const buffer = Buffer.alloc(size - start);
  await file.read(buffer, 0, buffer.length, start);
  const lines = buffer.toString('utf8').split('\n');
  // The first one may be cut off.
  return lines
    .slice(start > 0 ? 1 : 0)
    .filter((line) => line.trim() !== '')
    .slice(-count);
}
