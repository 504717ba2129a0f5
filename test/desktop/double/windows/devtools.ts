import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

interface Waiting {
  method: string;
  sessionId: string | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Chromium's DevTools protocol over its pipe, where each message ends in a zero byte. Playwright lends only its types: importing it
 * would take most of the double's start.
 */
export class Devtools {
  /** The session with the browser itself. */
  readonly browser: CDPSession;
  readonly #input: Writable;
  readonly #events = new Map<string | undefined, EventEmitter>();
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.browser = this.#open(undefined);
    this.browser.on('Target.detachedFromTarget', ({ sessionId }) => this.#close(sessionId));
    input.on('error', () => undefined); // the browser has ended, which closes the output as well
    output.on('close', () => this.#closeAll());
    let unfinished: Buffer[] = [];
    output.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
        const text = Buffer.concat([...unfinished, chunk.subarray(start, end)]).toString();
        unfinished = [];
        start = end + 1;
        this.#receive(JSON.parse(text) as Message);
      }
      unfinished.push(chunk.subarray(start));
    });
  }

  /** A session with a page. */
  async attach(targetId: string): Promise<CDPSession> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    return this.#open(sessionId);
  }

  #open(sessionId: string | undefined): CDPSession {
    const events = new EventEmitter();
    this.#events.set(sessionId, events);
    const send = (method: string, params: object = {}) => this.#send(sessionId, method, params);
    return Object.assign(events, { send }) as unknown as CDPSession;
  }

  #send(sessionId: string | undefined, method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (!this.#events.has(sessionId)) reject(closed(method));
    else {
      this.#waiting.set(id, { method, sessionId, resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    }
    return promise;
  }

  #receive({ id, method, params, sessionId, result, error }: Message) {
    if (method !== undefined) this.#events.get(sessionId)?.emit(method, params);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting.resolve(result);
  }

  #close(sessionId: string | undefined) {
    this.#events.delete(sessionId);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId) continue;
      this.#waiting.delete(id);
      waiting.reject(closed(waiting.method));
    }
  }

  #closeAll() {
    for (const sessionId of [...this.#events.keys()]) this.#close(sessionId);
  }
}

function closed(method: string) {
  return new Error(`${method}: the page or the browser has closed`);
}
