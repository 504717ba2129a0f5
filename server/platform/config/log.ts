import { type Logger, pino } from 'pino';
import { presentWithDetails } from '#server/platform/base/log-lines.ts';

/**
 * The service's log on standard output: JSON for programs, text on a terminal. Each line is written at once: what waits in memory at exit,
 * pino would try to write forever when its reader is gone (decision 113).
 */
export function openLog(level: string): Logger {
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options, pino.destination({ dest: 1, sync: true }));
  return pino(options, { write: (line) => void process.stdout.write(`${presentWithDetails(line.trimEnd())}\n`) });
}
