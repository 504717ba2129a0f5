import { setTimeout as delay } from 'node:timers/promises';
import type { Clipboard, ClipboardBookmark, ClipboardItem as Real } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';
import { isDecodable, pngOf } from './native-image.ts';

type Payload = string | Blob | ClipboardBookmark | Promise<Blob | string>;
/** What the system holds, by Electron's type. */
type Formats = Record<string, Buffer | Blob | ClipboardBookmark>;

const BOOKMARK = 'electron application/bookmark';
const FIND_TEXT = 'electron application/findtext';
/** The types that have a name of their own; any other is a format of the system. */
const STANDARD = ['text/plain', 'text/html', 'text/rtf', 'text/uri-list'];

/** Milliseconds that a slow clipboard takes for a picture. */
const SLOW_PICTURE = 300;

/** What an app makes to write it. As since Electron 44: asynchronous, and like the web's. */
export class ClipboardItem implements Pick<Real, 'types'> {
  readonly #payloads: Record<string, Payload>;

  constructor(payloads: Record<string, Payload>) {
    if (typeof payloads !== 'object' || payloads === null || Array.isArray(payloads))
      throw new TypeError('ClipboardItem: 1 argument required, an object mapping MIME types to payloads.');
    if (Object.keys(payloads).length === 0) throw new TypeError('ClipboardItem: at least one MIME type is required.');
    this.#payloads = { ...payloads };
  }

  get types() {
    return Object.keys(this.#payloads);
  }

  async getType(type: string): Promise<unknown> {
    if (!Object.hasOwn(this.#payloads, type)) throw new Error(`The type '${type}' was not found in the ClipboardItem`);
    const payload = await this.#payloads[type];
    return typeof payload === 'string' ? new Blob([payload], { type }) : payload;
  }

  /** The payloads as the system gets them. @throws TypeError for anything but strings, blobs and a bookmark */
  async resolved(): Promise<Formats> {
    const formats: Formats = {};
    for (const [type, promised] of Object.entries(this.#payloads)) {
      const payload = await promised;
      if (type === BOOKMARK && typeof payload === 'object') formats[type] = payload as ClipboardBookmark;
      else if (payload instanceof Blob) formats[type] = Buffer.from(await payload.arrayBuffer());
      else if (typeof payload === 'string') formats[type] = Buffer.from(payload);
      else throw new TypeError('ClipboardItem payload values must be a string or a Blob');
    }
    return formats;
  }
}

/** What an app reads: everything that the system holds, in one item, even if that is nothing. */
class SystemItem implements Pick<Real, 'types'> {
  readonly #formats: Formats;

  constructor(formats: Formats) {
    this.#formats = formats;
  }

  get types() {
    return Object.keys(this.#formats);
  }

  async getType(type: string): Promise<unknown> {
    const payload = this.#formats[type];
    if (payload === undefined) throw new Error(`The type '${type}' was not found in the ClipboardItem`);
    if (type.startsWith('image/') && isHostile('clipboard-slow')) await delay(SLOW_PICTURE);
    return payload instanceof Buffer ? new Blob([new Uint8Array(payload)], { type }) : payload;
  }
}

/** What Electron reads when another program has put these formats on the system's clipboard. */
export function systemItem(formats: Readonly<Record<string, string | Blob>>): Real {
  const held = Object.entries(formats).map(([type, content]) => [type, typeof content === 'string' ? Buffer.from(content) : content]);
  return new SystemItem(Object.fromEntries(held)) as unknown as Real;
}

/** What becomes of a payload in the system. Undefined: nothing. */
async function stored(type: string, payload: Formats[string]): Promise<[string, Formats[string]] | undefined> {
  if (!(payload instanceof Buffer)) return process.platform === 'linux' ? undefined : [type, payload];
  if (type === FIND_TEXT && process.platform !== 'darwin') return undefined;
  // Decoded at once; Electron knows no other formats.
  if (type.startsWith('image/')) return isDecodable(payload) ? ['image/png', await pngOf(payload)] : undefined;
  const isKept = STANDARD.includes(type) || type.startsWith('web ') || type.startsWith('electron application/');
  return [isKept ? type : `electron application/osclipboard;format="${type}"`, payload];
}

type Doubled = 'clear' | 'has' | 'read' | 'readText' | 'write' | 'writeText';

class DoubleClipboard implements Pick<Clipboard, Doubled> {
  #formats: Formats = {};

  clear() {
    this.#formats = {};
  }

  async has(type: string) {
    return type in this.#formats;
  }

  async read() {
    return [new SystemItem({ ...this.#formats }) as unknown as Real];
  }

  async readText() {
    return String(this.#formats['text/plain'] ?? '');
  }

  async write(items: Real[]) {
    if (!Array.isArray(items)) throw new TypeError('clipboard.write expects an array of ClipboardItem');
    const formats: Formats = {};
    for (const item of items as unknown[]) {
      if (!(item instanceof ClipboardItem)) throw new TypeError('clipboard.write expects an array of ClipboardItem');
      for (const [type, payload] of Object.entries(await item.resolved())) {
        const entry = await stored(type, payload);
        if (entry) formats[entry[0]] = entry[1];
      }
    }
    this.#formats = formats;
  }

  async writeText(text: string) {
    this.#formats = { 'text/plain': Buffer.from(text) };
  }
}

/** The primary selection is Linux’s. */
const selection = process.platform === 'linux' ? new DoubleClipboard() : undefined;
export const clipboard = Object.assign(new DoubleClipboard(), { selection });
