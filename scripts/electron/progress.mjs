// The progress of a download on standard error: a bar in a terminal, otherwise a line every ten seconds.
import { SingleBar } from 'cli-progress';

const MAX_BAR = 30;
const LINE_INTERVAL_MS = 10_000;

/** An amount of data, in steps of 1024. */
export function formatBytes(bytes) {
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(0)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

function formatSeconds(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Shows a download that begins at byte `from`. `total` is undefined if the server doesn't send the size.
 * Returns what to call with each chunk's number of bytes, and at the end.
 */
export function showProgress(from, total) {
  const terminal = process.stderr.isTTY;
  const start = performance.now();

  function draw({ value, maxWidth }) {
    const rate = (value - from) / Math.max((performance.now() - start) / 1000, 0.001);
    const parts = [total ? `${formatBytes(value)} of ${formatBytes(total)}` : formatBytes(value)];
    if (rate > 0) parts.push(`${formatBytes(rate)}/s`);
    if (rate > 0 && value < total) parts.push(`${formatSeconds((total - value) / rate)} left`);
    const text = parts.join(' · ');
    const width = Math.min(MAX_BAR, maxWidth - text.length - 2);
    if (!terminal || !total || width < 1) return text;
    const full = Math.round(Math.min(value / total, 1) * width);
    return `${'━'.repeat(full)}${'─'.repeat(width - full)} ${text}`;
  }

  const bar = new SingleBar({
    stream: process.stderr,
    format: (_options, state) => draw(state),
    fps: 4,
    forceRedraw: true,
    noTTYOutput: true,
    notTTYSchedule: LINE_INTERVAL_MS,
    hideCursor: null,
    linewrap: true,
    gracefulExit: false,
    // Without a terminal, the last line ends with the line break of its own.
    clearOnComplete: !terminal,
  });
  bar.start(total ?? 0, from);
  return { advance: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}
