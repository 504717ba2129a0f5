import type { Clipboard, ClipboardBookmark, ClipboardItem as Real } from 'electron';

type Payload = string | Blob | ClipboardBookmark | Promise<Blob | string>;

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

class DoubleClipboard implements Pick<Clipboard, 'clear' | 'has' | 'read' | 'readText' | 'write' | 'writeText'> {
  #items: Real[] = [];

  clear() {
    this.#items = [];
  }

  async has(type: string) {
    return this.#items.some((item) => item.types.includes(type));
  }

  async read() {
    return [...this.#items];
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
