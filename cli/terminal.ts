import { fstatSync } from 'node:fs';
import { styleText } from 'node:util';
import { MultiBar } from 'cli-progress';
import { describeError, EXIT } from './errors.ts';
import type { Io, Output } from './io.ts';
import { formatBytes, formatSeconds, printable } from './printable.ts';

interface BarState {
  bytes: number;
  totalBytes: number;
  files: number;
  totalFiles: number;
}

/** Width of the bar itself, in characters. */
const MAX_BAR = 24;
const MIN_BAR = 8;
/** Invisible characters of a line; the library counts them when it cuts the bar to the terminal's width. */
const COLOUR_CODES = 10;

/**
 * All output of a command. Results go to standard output, one line each; everything else goes to standard error. The progress bar is shown
 * only if standard error is a terminal and standard output isn't a pipe: its reader may print to the same terminal, into the bar.
 */
export class Terminal {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #isRead: boolean;
  #colour: boolean;
  #bars: MultiBar | undefined;
  #bar: ReturnType<MultiBar['create']> | undefined;
  #state: BarState = { bytes: 0, totalBytes: 0, files: 0, totalFiles: 0 };
  #startedAt = 0;
  #format = formatBytes;

  constructor({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>, colour: boolean) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#isRead = isPipe(stdout);
    this.#colour = colour;
  }

  get showsProgress() {
    return Boolean(this.#stderr.isTTY) && !this.#isRead;
  }

  turnOffColours() {
    this.#colour = false;
  }

  /** Prints one result. */
  line(text: string) {
    this.#aboveBar(this.#stdout, text);
  }

  /** Reports one failure. */
  problem(subject: string | undefined, reason: string) {
    const about = subject === undefined ? '' : `${printable(subject)}: `;
    this.#aboveBar(this.#stderr, `${this.#paint('red', 'pixdock:')} ${about}${printable(reason)}`);
  }

  /** Prints a remark that isn't a failure. */
  note(text: string) {
    this.#aboveBar(this.#stderr, `${this.#paint('cyan', 'pixdock:')} ${printable(text)}`);
  }

  /** Prints a remark for people: programs that read the output don't get it. */
  hint(text: string) {
    if (this.#stderr.isTTY) this.note(text);
  }

  /** @param format how amounts are shown, in place of bytes */
  startProgress(totalFiles: number, totalBytes: number, format = formatBytes) {
    if (!this.showsProgress || this.#bar) return;
    this.#format = format;
    this.#state = { bytes: 0, totalBytes, files: 0, totalFiles };
    this.#startedAt = performance.now();
    // Even for one bar: a SingleBar returns to its first line when it stops, and erases what was printed there since.
    this.#bars = new MultiBar({
      // It needs a WriteStream only for its columns.
      stream: this.#stderr as NodeJS.WriteStream,
      format: (_options, { progress }) => this.#drawBar(progress),
      fps: 8,
      clearOnComplete: true,
      forceRedraw: true,
      hideCursor: null,
      // The bar is cut to the terminal's width anyway; the lines above it must not be.
      linewrap: true,
      gracefulExit: false,
    });
    this.#bar = this.#bars.create(Math.max(totalBytes, 1), 0);
    this.#bars.update();
  }

  /** Advances the bar; negative bytes take back those of a failed attempt. */
  advance(change: { files?: number; bytes?: number; totalFiles?: number; totalBytes?: number }) {
    for (const key of ['files', 'bytes', 'totalFiles', 'totalBytes'] as const) this.#state[key] += change[key] ?? 0;
    this.#bar?.setTotal(Math.max(this.#state.totalBytes, 1));
    this.#bar?.update(Math.min(this.#state.bytes, this.#state.totalBytes));
  }

  stopProgress() {
    this.#bars?.stop();
    this.#bars = undefined;
    this.#bar = undefined;
  }

  /** As many parts as fit on the line; the least important are dropped first. */
  #drawBar(progress: number) {
    const { bytes, totalBytes, files, totalFiles } = this.#state;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = bytes / Math.max(seconds, 0.001);
    const parts = [`${files}/${totalFiles}`, `${this.#format(bytes)} of ${this.#format(totalBytes)}`, `${this.#format(rate)}/s`];
    if (rate > 0 && seconds > 1) parts.push(`${formatSeconds((totalBytes - bytes) / rate)} left`);
    const room = (this.#stderr.columns || 80) - COLOUR_CODES;
    let text = ` ${parts.shift()}`;
    for (const part of parts) if (`${text} · ${part}`.length + MIN_BAR <= room) text += ` · ${part}`;
    const width = Math.max(0, Math.min(MAX_BAR, room - text.length));
    const full = Math.round(Math.min(progress, 1) * width);
    return `${this.#paint('cyan', '━'.repeat(full))}${'─'.repeat(width - full)}${text}`;
  }

  #aboveBar(stream: Output, text: string) {
    if (this.#bar) this.#stderr.write('\r\x1b[2K');
    stream.write(`${text}\n`);
    this.#bars?.update();
  }

  #paint(colour: 'red' | 'cyan', text: string) {
    return this.#colour ? styleText(colour, text, { stream: this.#stderr }) : text;
  }
}

function isPipe({ fd, isTTY }: Output) {
  if (fd === undefined) return !isTTY;
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket();
}

/** A closed pipe (`| head -1`) must not stop the uploads. Any other fault, such as a full disk, ends the program: nobody would learn the links. */
export function heedOutput({ stdout, stderr, exit }: Pick<Io, 'stdout' | 'stderr' | 'exit'>) {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(`pixdock: Can’t write the output: ${describeError(error)}\n`);
    exit(EXIT.failed);
  });
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') exit(EXIT.failed);
  });
}
