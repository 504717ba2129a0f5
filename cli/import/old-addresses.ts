import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { SourceItem } from '#transfer/sources/item.ts';
import { CommandError, describeError } from '../errors.ts';

/** Where to write which old address has become which new one. */
export interface MapOptions {
  map?: string;
  nginxMap?: string;
  caddyMap?: string;
}

/** A file that appears under its name once it is complete. */
interface Writing {
  path: string;
  draft: string;
  file: FileHandle;
  line(old: URL, now: string): string;
}

const NGINX_HEAD = `# In the http block: map_hash_max_size 1048576; map_hash_bucket_size 1024;
#                    map $host$uri $pixdock { include pixdock-map.conf; }
# In the server block of the old address: if ($pixdock) { return 301 $pixdock; }
`;
const CADDY_HEAD = `# In the site block of the old address:
#   map {host}{path} {pixdock} {
#     import pixdock-map.txt
#     default ""
#   }
#   @moved expression {pixdock} != ""
#   redir @moved {pixdock} permanent
`;

/** Writes the addresses of pictures before and after, as a table and for web servers. */
export class OldAddresses implements AsyncDisposable {
  readonly #base: string;
  readonly #files: Writing[];
  readonly #seen = new Set<string>();

  private constructor(base: string, files: Writing[]) {
    this.#base = `${base}/`;
    this.#files = files;
  }

  /** Undefined if nothing is to be written. @throws CommandError if a file can't be */
  static async open({ map, nginxMap, caddyMap }: MapOptions, base: string): Promise<OldAddresses | undefined> {
    const wanted = [
      { path: map, head: 'old address,new address\n', line: (old: URL, now: string) => `${csv(old.href)},${csv(now)}\n` },
      { path: nginxMap, head: NGINX_HEAD, line: (old: URL, now: string) => `${nginx(placeOf(old))} ${nginx(now)};\n` },
      { path: caddyMap, head: CADDY_HEAD, line: (old: URL, now: string) => `${caddy(placeOf(old))} ${caddy(now)}\n` },
    ];
    const files: Writing[] = [];
    for (const { path, head, line } of wanted) {
      if (path === undefined) continue;
      const draft = `${path}.part`;
      try {
        const file = await open(draft, 'w');
        await file.write(head);
        files.push({ path, draft, file, line });
      } catch (error) {
        throw unwritable(path, error);
      }
    }
    return files.length > 0 ? new OldAddresses(base, files) : undefined;
  }

  /** Adds the addresses of a picture, if it is still there. */
  async add({ oldAddresses }: SourceItem, now: string | undefined): Promise<void> {
    if (now === undefined) return;
    for (const address of oldAddresses) {
      const old = URL.parse(address, this.#base);
      if (!old || this.#seen.has(placeOf(old))) continue;
      this.#seen.add(placeOf(old));
      for (const { file, path, line } of this.#files)
        await file.write(line(old, now)).catch((error: Error) => {
          throw unwritable(path, error);
        });
    }
  }

  /** Moves the files into place. */
  async finish(): Promise<void> {
    for (const { path, draft, file } of this.#files) {
      await file.close();
      await rename(draft, path).catch((error: Error) => {
        throw unwritable(path, error);
      });
    }
    this.#files.length = 0;
  }

  /** Removes what isn't complete. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { draft, file } of this.#files) {
      await file.close();
      await rm(draft, { force: true });
    }
  }
}

/** Host and path as web servers compare them: without port and query, and decoded. */
function placeOf({ hostname, pathname }: URL): string {
  try {
    return hostname + decodeURIComponent(pathname);
  } catch {
    // Not UTF-8.
    return hostname + pathname;
  }
}

/** RFC 4180. */
const csv = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** A quoted string; the dollar sign means a variable only in what is returned, and an address of ours has none. */
const nginx = (text: string) => `"${text.replace(/["\\\n\r\t]/g, (char) => NAMED[char] ?? `\\${char}`)}"`;

/** A quoted token. Where it has a brace, which may begin a placeholder or a variable, a regular expression that has none. */
function caddy(text: string): string {
  const pattern = () => `~^${text.replace(/[^\p{L}\p{N}/ "]/gu, (char) => `\\x{${char.codePointAt(0)?.toString(16)}}`)}$`;
  return `"${(text.includes('{') ? pattern() : text).replaceAll('"', '\\"')}"`;
}

function unwritable(path: string, error: unknown) {
  return new CommandError(`Can’t write ${path}: ${describeError(error)}`, { cause: error });
}
