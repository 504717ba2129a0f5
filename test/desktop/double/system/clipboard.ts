import { setTimeout as delay } from 'node:timers/promises';
import type { Clipboard, ClipboardBookmark, ClipboardItem as Real } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';

type Payload = string | Blob | ClipboardBookmark | Promise<Blob | string>;

/** Milliseconds that a slow clipboard takes for a picture. */
const SLOW_PICTURE = 300;

/** As since Electron 44: asynchronous, and like the web's. */
export class ClipboardItem implements Pick<Real, 'types'> {
  readonly #payloads: Record<string, Payload>;

  constructor(payloads: Record<string, Payload>) {
    this.#payloads = payloads;
  }

  get types() {
    return Object.keys(this.#payloads);
  }

  async getType(type: string): Promise<unknown> {
    const payload = await this.#payloads[type];
    if (payload === undefined) throw new Error(`The type was not found: ${type}`);
    return typeof payload === 'string' ? new Blob([payload], { type }) : payload;
  }
}

/** What the system makes of the items: a single one, whose pictures it decodes and encodes again. */
class SystemItem implements Pick<Real, 'types'> {
  readonly #items: readonly Real[];

  constructor(items: readonly Real[]) {
    this.#items = items;
  }

  get types() {
    return [...new Set(this.#items.flatMap(({ types }) => types))];
  }

  async getType(type: string): Promise<unknown> {
    const item = this.#items.find(({ types }) => types.includes(type));
    if (!item) throw new Error(`The type was not found: ${type}`);
    if (type.startsWith('image/') && isHostile('clipboard-slow')) await delay(SLOW_PICTURE);
    const payload = await item.getType(type);
    return payload instanceof Blob && type === 'image/png' && isHostile('clipboard-reencodes') ? reencoded(payload) : payload;
  }
}

async function reencoded(picture: Blob): Promise<Blob> {
  const { default: sharp } = await import('sharp'); // loading it would slow every start down
  const bytes = await sharp(await picture.arrayBuffer())
    .png({ compressionLevel: 1 })
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

class DoubleClipboard implements Pick<Clipboard, 'clear' | 'has' | 'read' | 'readText' | 'write' | 'writeText'> {
  #items: Real[] = [];

  clear() {
    this.#items = [];
  }

  async has(type: string) {
    return this.#items.some((item) => item.types.includes(type));
  }

  async read() {
    const isSystems = isHostile('clipboard-reencodes') || isHostile('clipboard-slow');
    return isSystems ? [new SystemItem(this.#items) as unknown as Real] : [...this.#items];
  }

  async readText() {
    const item = this.#items.find(({ types }) => types.includes('text/plain'));
    return item ? (await item.getType('text/plain')).text() : '';
  }

  async write(items: Real[]) {
    if (!items.every((item) => item instanceof ClipboardItem)) throw new TypeError('clipboard.write takes ClipboardItems');
    this.#items = [...items];
  }

  async writeText(text: string) {
    this.#items = [new ClipboardItem({ 'text/plain': text }) as unknown as Real];
  }
}

export const clipboard = new DoubleClipboard();
