// Downloads a file, however slow the connection: gives up only when nothing arrives, and keeps what has arrived for the next attempt.
import { constants, createWriteStream, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { formatBytes, showProgress } from './progress.mjs';

const STALL_LIMIT_MS = 30_000;
/** How long Node waits for one of a server's addresses before it tries the next. Its quarter of a second is too short for slow connections. */
setDefaultAutoSelectFamilyAttemptTimeout(3_000);

/** The server responded, but not with the file. `status` is undefined if it sent something else under its address. */
export class UnexpectedResponse extends Error {
  constructor({ status, statusText, headers }) {
    super(`responded with ${status}`);
    this.status = status === 200 || status === 206 ? undefined : `${status} ${statusText}`.trim();
    this.type = headers.get('content-type') ?? '';
  }
}

/** No byte arrived for too long. */
export class Stalled extends Error {
  constructor(limitMs) {
    super(`no byte arrived for ${limitMs} ms`);
    this.seconds = Math.round(limitMs / 1000);
  }
}

/**
 * A downloader for @electron/get, which checks the file's checksum in the end. What has arrived is in `folder`, under the file's name: the next
 * attempt may use another server, and concurrent downloads write the same bytes to the same places.
 */
export class ResumingDownloader {
  /** The address that was tried last. */
  url;
  /** The part of the file that has arrived. */
  partial;
  /** Whether the file was put together from several responses. */
  hasResumed = false;
  #options;

  constructor({ folder, signal, stallMs = STALL_LIMIT_MS }) {
    this.#options = { folder, signal, stallMs };
  }

  async download(url, target) {
    this.url = url;
    this.partial = join(this.#options.folder, `${basename(target)}.part`);
    this.hasResumed = false;
    console.error(`Downloading Electron from ${new URL(url).host}. This happens only once.`);
    const dispatcher = proxyAgent();
    try {
      await this.#receiveAll(dispatcher);
    } finally {
      await dispatcher.destroy();
    }
    await rename(this.partial, target);
  }

  /** The number of bytes that have arrived. */
  get received() {
    return (this.partial && statSync(this.partial, { throwIfNoEntry: false })?.size) ?? 0;
  }

  /** Continues after an interruption as long as every attempt brings more of the file. */
  async #receiveAll(dispatcher) {
    for (;;) {
      const before = this.received;
      this.hasResumed ||= before > 0;
      try {
        return await this.#receive(dispatcher, before);
      } catch (error) {
        const isInterruption = error instanceof Stalled || error instanceof TypeError;
        if (!isInterruption || this.received <= before) throw error;
        console.error(`The connection was interrupted. Continuing at ${formatBytes(this.received)}.`);
      }
    }
  }

  async #receive(dispatcher, from) {
    const { signal, stallMs } = this.#options;
    const stall = new AbortController();
    const timer = setTimeout(() => stall.abort(new Stalled(stallMs)), stallMs);
    let progress;
    try {
      const response = await fetch(this.url, {
        dispatcher,
        signal: AbortSignal.any([stall.signal, ...(signal ? [signal] : [])]),
        headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
      });
      timer.refresh();
      // The server has nothing after what is here: either it's complete, or its checksum will be wrong.
      if (response.status === 416) return;
      const { start, total } = placeOf(response);
      // The file isn't emptied first: what is already there is lost only to the same bytes.
      const file = createWriteStream(this.partial, { flags: constants.O_WRONLY | constants.O_CREAT, start });
      await pipeline(response.body, (chunks) => watched(chunks), file);

      async function* watched(chunks) {
        for await (const chunk of chunks) {
          timer.refresh();
          if (!progress && start === 0 && !startsLikeZip(chunk)) throw new UnexpectedResponse(response);
          progress ??= showProgress(start, total);
          progress.advance(chunk.length);
          yield chunk;
        }
      }
    } finally {
      clearTimeout(timer);
      progress?.stop();
    }
  }
}

/** Where a response's bytes belong in the file, and the size of the file. Throws when the response isn't the file. */
function placeOf(response) {
  const { status, headers } = response;
  if (status === 200) return { start: 0, total: Number(headers.get('content-length')) || undefined };
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status !== 206 || start === undefined) throw new UnexpectedResponse(response);
  return { start: Number(start), total: Number(total) || undefined };
}

const startsLikeZip = (bytes) => Buffer.from('PK').indexOf(bytes.subarray(0, 2)) === 0;

/** The proxy of the environment, or of npm's configuration, which `npm start` passes on. */
function proxyAgent() {
  const variable = (name) => process.env[name] || process.env[name.toUpperCase()];
  // Like other programs, accepts host:port.
  const address = (value) => (value && !value.includes('://') ? `http://${value}` : value);
  return new EnvHttpProxyAgent({
    httpProxy: address(variable('http_proxy') || process.env.npm_config_proxy),
    httpsProxy: address(variable('https_proxy') || process.env.npm_config_https_proxy),
    noProxy: variable('no_proxy') || process.env.npm_config_noproxy,
  });
}
