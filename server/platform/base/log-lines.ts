interface Entry {
  [field: string]: unknown;
  err?: { message?: unknown; stack?: unknown };
}

/** A line of the service's log for people: `12:34:56 error: message (reason)`; other output stays as it is. */
export function presentLogLine(line: string): string {
  const entry = parse(line);
  return entry ? summarise(entry) : line;
}

/** The same with the other fields of the entry, and the stack of an error. */
export function presentWithDetails(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const { level, time, msg, err, ...rest } = entry;
  const facts = Object.entries(rest).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = typeof err?.stack === 'string' ? `\n${err.stack}` : '';
  return `${summarise(entry)}${facts.length ? ` (${facts.join(', ')})` : ''}${stack}`;
}

function summarise({ time, level, msg, err }: Entry): string {
  const clock = /T(\d{2}:\d{2}:\d{2})/.exec(String(time))?.[1] ?? '';
  const kind = Number(level) >= 50 ? 'error: ' : Number(level) >= 40 ? 'warning: ' : '';
  const cause = typeof err?.message === 'string' ? ` (${err.message})` : '';
  return `${clock} ${kind}${String(msg ?? '')}${cause}`.trim();
}

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined; // not an entry, but something that happens to start like one
  }
}
