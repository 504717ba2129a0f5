import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { API_PREFIX, IDEMPOTENCY_HEADER, THUMBNAIL_WIDTHS } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { image, photoJpeg } from '#test/helpers/pictures/images.ts';
import type { Node } from './cluster.ts';
import type { Random } from './random.ts';

/** Requests per second, started regardless of how many still wait for a response, up to a limit. */
const RATE = 30;
const MAX_OPEN = 300;
/** While this many uploads wait for a response or for another attempt, no new ones begin. */
const MAX_UPLOADS = 60;
const RETRY_MS = 1_000;
/** A response that takes longer is as bad as none. */
const LIMIT_MS = 60_000;

/** A request that has ended. */
export interface Ended {
  /** Milliseconds since the start of the process. */
  startedAt: number;
  took: number;
  what: string;
  outcome: 'done' | '503' | 'no connection';
}

/** A picture, from its first attempt on. */
interface Picture {
  number: number;
  sha256: string;
  /** Until it is acknowledged. */
  bytes: Buffer | undefined;
  retryAt: number;
  key: string;
  ext: string;
  /** Titles that it may have: the last one that was acknowledged, and those of later attempts whose outcome isn't known. */
  titles: Set<string>;
  isBusy: boolean;
}

/** Mixed load on two services in turns, which remembers what was acknowledged. */
export class Load {
  readonly ended: Ended[] = [];
  /** Responses that must not happen. */
  readonly faults: string[] = [];
  readonly acknowledged: Picture[] = [];
  readonly #waiting: Picture[] = [];
  readonly #nodes: readonly Node[];
  readonly #token: string;
  readonly #random: Random;
  readonly #open = new Set<Promise<void>>();
  #turn = 0;
  #uploading = 0;
  #numbers = 0;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(nodes: readonly Node[], token: string, random: Random) {
    this.#nodes = nodes;
    this.#token = token;
    this.#random = random;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends the load, and repeats uploads until each has been acknowledged, or for the time limit. */
  async stop(limitMs: number): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await Promise.all(this.#open);
    const end = performance.now() + limitMs;
    while (this.#waiting.length && performance.now() < end) await this.#upload(this.#waiting.shift() as Picture);
    for (const { number } of this.#waiting) this.faults.push(`upload ${number} was never accepted`);
  }

  /** Sends an upload again that was acknowledged, to the other service; returns the key of its picture. */
  async repeat(picture: Picture): Promise<string> {
    const { key, reused } = (await this.#send(picture, await this.#bytesOf(picture.number))) ?? {};
    return `${key} ${reused}`;
  }

  /** The hash of what a service sends. */
  async hashAt({ url }: Node, path: string): Promise<string> {
    return hash('sha256', await contentOf(fetch(url + path, { headers: { connection: 'close' } })));
  }

  async #run() {
    for (let at = performance.now(); !this.#stopped; at = Math.max(at + 1_000 / RATE, performance.now() - 1_000)) {
      await wait(Math.max(0, at - performance.now()));
      if (this.#open.size >= MAX_OPEN) continue;
      const request = this.#any().catch((error: unknown) => void this.faults.push(String(error)));
      this.#open.add(request);
      void request.then(() => this.#open.delete(request));
    }
  }

  /** Views 40 %, thumbnails 15 %, lists 15 %, edits 15 %, uploads 15 %. */
  async #any() {
    const part = this.#random.next();
    if (part < 0.15 || this.acknowledged.length === 0) return this.#uploadAny();
    const picture = this.#random.pick(this.acknowledged);
    const { key, ext, sha256 } = picture;
    if (part < 0.55) {
      const bytes = await this.#request('view', `/i/${key}.${ext}`);
      if (bytes && hash('sha256', bytes) !== sha256) this.faults.push(`wrong bytes of ${key}`);
    } else if (part < 0.7) await this.#request('thumbnail', `/t/${key}.jpg?w=${this.#random.pick(THUMBNAIL_WIDTHS)}`);
    else if (part < 0.85) await this.#request('list', `${API_PREFIX}${this.#random.pick(['/images', '/images/timeline', '/albums'])}`);
    else if (!picture.isBusy) await this.#edit(picture);
  }

  async #edit(picture: Picture) {
    picture.isBusy = true;
    const title = `Title ${++this.#numbers}`;
    picture.titles.add(title);
    const body = JSON.stringify({ title });
    const headers = { 'content-type': 'application/json' };
    const done = await this.#request('edit', `${API_PREFIX}/images/${picture.key}`, { method: 'PATCH', headers, body });
    if (done) picture.titles = new Set([title]);
    picture.isBusy = false;
  }

  async #uploadAny() {
    const due = this.#waiting.findIndex(({ retryAt }) => retryAt < performance.now());
    const [again] = due < 0 ? [] : this.#waiting.splice(due, 1);
    if (again) return this.#upload(again);
    if (this.#waiting.length + this.#uploading >= MAX_UPLOADS) return;
    const number = ++this.#numbers;
    const bytes = await this.#bytesOf(number);
    await this.#upload({
      number,
      sha256: hash('sha256', bytes),
      bytes,
      retryAt: 0,
      key: '',
      ext: '',
      titles: new Set(['']),
      isBusy: false,
    });
  }

  /** Every tenth file is larger than what stays in memory. */
  #bytesOf(number: number): Promise<Buffer> {
    const [width, height] = number % 10 ? [320, 240] : [800, 600];
    return number % 10
      ? photoJpeg({ width, height, seed: number })
      : image({ width, height, seed: number }).png({ compressionLevel: 0 }).toBuffer();
  }

  async #upload(picture: Picture) {
    this.#uploading++;
    const stored = await this.#send(picture, picture.bytes as Buffer);
    this.#uploading--;
    if (!stored) {
      picture.retryAt = performance.now() + RETRY_MS;
      this.#waiting.push(picture);
      return;
    }
    if (stored.sha256 !== picture.sha256) this.faults.push(`upload ${picture.number} was stored with other bytes`);
    this.acknowledged.push(Object.assign(picture, { key: stored.key, ext: stored.ext, bytes: undefined }));
  }

  async #send({ number }: Picture, bytes: Buffer): Promise<Uploaded | undefined> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), `${number}.jpg`);
    const headers = { [IDEMPOTENCY_HEADER]: `cluster-${number}` };
    const response = await this.#request('upload', `${API_PREFIX}/upload`, { method: 'POST', headers, body });
    return response && (JSON.parse(response.toString()) as { data: Uploaded }).data;
  }

  /** Sends a request to the services in turns. Returns the body if it was carried out, and undefined if it was refused as it may be. */
  async #request(what: string, path: string, init: RequestInit = {}): Promise<Buffer | undefined> {
    const node = this.#nodes[this.#turn++ % this.#nodes.length] as Node;
    const { kills, isDown } = node;
    const startedAt = performance.now();
    const end = (outcome: Ended['outcome']) => void this.ended.push({ startedAt, took: performance.now() - startedAt, what, outcome });
    const headers = { authorization: `Bearer ${this.#token}`, connection: 'close', ...init.headers };
    try {
      const response = await fetch(node.url + path, { ...init, headers, signal: AbortSignal.timeout(LIMIT_MS) });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.ok) end('done');
      else if (response.status === 503 && response.headers.has('retry-after')) end('503');
      else this.faults.push(`${what}: ${response.status} ${bytes.toString().slice(0, 200)}`);
      return response.ok ? bytes : undefined;
    } catch (error) {
      const wasKilled = isDown || node.isDown || node.kills !== kills;
      if (wasKilled && error instanceof TypeError) end('no connection');
      else this.faults.push(`${what} to ${node.url}, started at ${Math.round(startedAt)} ms: ${(error as Error).cause ?? error}`);
      return undefined;
    }
  }
}
