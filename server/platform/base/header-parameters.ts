/** A header such as Content-Disposition, with one character for each byte. */
export interface HeaderValue {
  /** What precedes the parameters, in lower case. */
  value: string;
  /** By name, in lower case; of several with one name, the first. */
  parameters: Map<string, string>;
}

/** A text in quotes, in which a quote that closes nothing, since no parameter follows it, is part of the text. */
const QUOTED = /\s*"((?:[^"\\]|\\.|"(?!\s*(?:;|$)))*)"\s*(?=;|$)/y;

/**
 * Reads a header as leniently as browsers do: texts without quotes may contain spaces, `/` and `=`, and parameters may be empty. Takes
 * linear time.
 * @param header one character for each byte, as in Node's headers
 */
export function parseHeader(header: string): HeaderValue {
  const parameters = new Map<string, string>();
  const end = semicolonIn(header, 0);
  let mayBeQuoted = true; // where one quote isn't closed, no later one is
  for (let start = end + 1; start < header.length; ) {
    const equals = header.indexOf('=', start);
    const semicolon = semicolonIn(header, start);
    if (equals === -1) break;
    if (semicolon < equals) {
      start = semicolon + 1;
      continue;
    }
    const name = header.slice(start, equals).trim().toLowerCase();
    const isQuoted = mayBeQuoted && /^\s*"/.test(header.slice(equals + 1, semicolonIn(header, equals)));
    QUOTED.lastIndex = equals + 1;
    const quoted = isQuoted ? QUOTED.exec(header) : null;
    if (isQuoted && !quoted) mayBeQuoted = false;
    start = quoted ? QUOTED.lastIndex + 1 : semicolonIn(header, equals) + 1;
    const text =
      quoted?.[1]?.replace(/\\(["\\])/g, '$1') ??
      header
        .slice(equals + 1, start - 1)
        .trim()
        .replace(/^"|"$/g, '');
    if (!parameters.has(name)) parameters.set(name, text);
  }
  return { value: header.slice(0, end).trim().toLowerCase(), parameters };
}

function semicolonIn(header: string, start: number): number {
  const found = header.indexOf(';', start);
  return found === -1 ? header.length : found;
}

/** The file name in a Content-Disposition (RFC 6266, RFC 7578), untrusted. Undefined if there is none; empty if it is. */
export function fileNameIn({ parameters }: HeaderValue): string | undefined {
  const [extended, plain] = [parameters.get('filename*'), parameters.get('filename')];
  const [, charset = '', text = extended] = /^\s*([^']*)'[^']*'(.*)$/s.exec(extended ?? '') ?? [];
  const bytes = text === undefined ? undefined : percentDecoded(text);
  const named = bytes && decodeAs(charset.trim() || 'utf-8', bytes);
  return named ?? (plain === undefined ? bytes && decodeText(bytes) : decodeText(Buffer.from(plain, 'latin1')));
}

function percentDecoded(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
}

/** Two bytes for each character of GB 2312, the part of GBK that texts consist of. */
const CHINESE = /^(?:[^\x80-\xff]|[\xa1-\xf7][\xa1-\xfe])*$/;

/** Decodes UTF-8 or, where it can't be that, what old programs for Windows send: Chinese or Western European text. */
export function decodeText(bytes: Buffer): string {
  return decodeAs('utf-8', bytes) ?? new TextDecoder(CHINESE.test(bytes.toString('latin1')) ? 'gb18030' : 'windows-1252').decode(bytes);
}

/** Undefined for an unknown charset, and for bytes that aren't text in it. */
function decodeAs(charset: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
