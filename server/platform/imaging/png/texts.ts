import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { ByteRange, ImageBytes } from '../bytes.ts';
import { combined, decodeText, type Rights, rightsOf } from '../metadata/rights.ts';
import { XMP_KEYWORD, xmpRights } from '../metadata/xmp.ts';

const inflated = promisify(inflate);

/** Texts in use take a few kilobytes; longer ones are ignored. */
const MAX_TEXT_BYTES = 256 * 1024;
/** More texts than any program writes. */
const MAX_TEXTS = 100;

interface Text {
  readonly keyword: string;
  readonly text: string;
}

const TEXT_CHUNK = /^[zi]TXt|tEXt$/;

/** The texts of a PNG (third edition, §11.3.3) that name rights: “Author”, “Copyright” and an XMP packet. */
export class PngTexts {
  readonly #texts: Text[] = [];
  readonly #packets: Rights[] = [];
  #read = 0;

  /** Reads a chunk if it is a text. */
  async read(file: ImageBytes, type: string, content: ByteRange): Promise<void> {
    if (!TEXT_CHUNK.test(type) || ++this.#read > MAX_TEXTS) return;
    for (const text of await readText(file, type, content)) {
      if (text.keyword === XMP_KEYWORD) this.#packets.push(xmpRights(text.text));
      else this.#texts.push(text);
    }
  }

  rights(): Rights {
    const named = (wanted: string) => this.#texts.filter(({ keyword }) => keyword === wanted).map(({ text }) => text);
    return combined([...this.#packets, rightsOf(named('Author'), named('Copyright'))]);
  }
}

async function readText(file: ImageBytes, type: string, { from, to }: ByteRange): Promise<Text[]> {
  if (to - from > MAX_TEXT_BYTES) return [];
  const data = await file.copy({ from, to });
  const end = data.indexOf(0);
  if (end < 1) return [];
  const keyword = data.toString('latin1', 0, end);
  const rest = data.subarray(end + 1);
  if (type === 'tEXt') return [{ keyword, text: decodeText(rest) }];
  // After the keyword: the compression method, and for international texts first a flag, then a language and a translated keyword.
  if (type === 'zTXt') return withText(keyword, await unpacked(rest.subarray(1)));
  const language = rest.indexOf(0, 2);
  const translated = language === -1 ? -1 : rest.indexOf(0, language + 1);
  if (translated === -1) return [];
  const body = rest.subarray(translated + 1);
  return withText(keyword, rest[0] === 1 ? await unpacked(body) : body);
}

function withText(keyword: string, body: Buffer | undefined): Text[] {
  return body ? [{ keyword, text: decodeText(body) }] : [];
}

async function unpacked(data: Buffer): Promise<Buffer | undefined> {
  try {
    return await inflated(data, { maxOutputLength: MAX_TEXT_BYTES });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
