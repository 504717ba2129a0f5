/** A line of the service's log for people: `12:34:56 error: message (reason)`; other output stays as it is. */
export function presentLogLine(line: string): string {
  const entry = parse(line);
  if (!entry) return line;
  const time = /T(\d{2}:\d{2}:\d{2})/.exec(String(entry.time))?.[1] ?? '';
  const level = Number(entry.level) >= 50 ? 'error: ' : Number(entry.level) >= 40 ? 'warning: ' : '';
  const cause = isRecord(entry.err) && typeof entry.err.message === 'string' ? ` (${entry.err.message})` : '';
  return `${time} ${level}${String(entry.msg ?? '')}${cause}`.trim();
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // not an entry, but something that happens to start like one
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
