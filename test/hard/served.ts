import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from './random.ts';
import type { Site } from './writes.ts';

/** How many of the latest pictures, tokens and links are looked at. */
const LATEST = 60;

interface PictureRow {
  visibility: string;
  ext: string;
  sha256: string;
  deleted_at: number | null;
  isShared: number;
}

/** Compares what guests, members and programs get from a service with what its database says at that moment. */
export class Comparison {
  /** What differed. */
  readonly contrary: string[] = [];
  made = 0;
  readonly #site: Site;
  readonly #db: DatabaseSync;
  readonly #random: Random;
  /** Also those that the database doesn't have any more. */
  readonly #pictures = new Set<string>();
  readonly #links = new Set<string>();

  constructor(site: Site, db: DatabaseSync, random: Random) {
    this.#site = site;
    this.#db = db;
    this.#random = random;
  }

  /** One random comparison. */
  async make(): Promise<void> {
    const kinds = [this.#picture, this.#picture, this.#pictureOfMember, this.#album, this.#token, this.#link, this.#settings];
    await this.#random.pick(kinds).call(this);
  }

  #picture() {
    return this.#anyPicture({}, () => false);
  }

  #pictureOfMember() {
    const { cookie, id } = this.#random.pick(this.#site.members);
    return this.#anyPicture({ cookie }, (row) => row.isShared > 0, id);
  }

  /** @param opens whether a private picture opens */
  async #anyPicture(headers: Record<string, string>, opens: (row: PictureRow) => boolean, member = 0) {
    const key = this.#latest('SELECT key AS id FROM images ORDER BY id DESC LIMIT 60', this.#pictures);
    if (key === undefined) return;
    const read = () =>
      this.#db
        .prepare(
          `SELECT visibility, ext, sha256, deleted_at, (SELECT count(*) FROM album_images JOIN album_members USING (album_id)
           WHERE image_id = images.id AND user_id = ?) AS isShared FROM images WHERE key = ?`,
        )
        .get(member, key) as PictureRow | undefined;
    await this.#compare(
      `${member ? 'to a member' : 'to a guest'}: picture ${key}`,
      read,
      (row) => this.#get(`/i/${key}.${row?.ext ?? 'png'}`, headers, (bytes) => hash('sha256', bytes)),
      (row) => (row && row.deleted_at === null && (row.visibility === 'public' || opens(row)) ? row.sha256 : 404),
    );
  }

  async #album() {
    const [album, { id, cookie }] = [this.#random.pick(this.#site.albums), this.#random.pick(this.#site.members)];
    await this.#compare(
      `to member ${id}: album ${album}`,
      () => this.#db.prepare('SELECT role FROM album_members WHERE album_id = ? AND user_id = ?').get(album, id),
      () => this.#get(`/api/v1/albums/${album}`, { cookie }, (bytes) => dataOf(bytes).role),
      (row) => row?.role ?? 404,
    );
  }

  async #token() {
    const tokens = [...this.#site.tokens].slice(-LATEST);
    if (tokens.length === 0) return;
    const [name, { secret }] = this.#random.pick(tokens);
    await this.#compare(
      `to ${name}`,
      () => this.#db.prepare('SELECT scope FROM tokens WHERE name = ?').get(name),
      () => this.#get('/api/v1/user', { authorization: `Bearer ${secret}` }, () => 'full'),
      (row) => row?.scope ?? 401,
    );
  }

  async #link() {
    const id = this.#latest('SELECT id FROM request_links ORDER BY created_at DESC LIMIT 60', this.#links);
    if (id === undefined) return;
    await this.#compare(
      `to a sender: request link ${id}`,
      () => this.#db.prepare('SELECT title, paused_at FROM request_links WHERE id = ?').get(id),
      () => this.#get(`/api/v1/r/${id}`, {}, (bytes) => dataOf(bytes).title),
      (row) => (!row ? 404 : row.paused_at === null ? row.title : 410),
    );
  }

  async #settings() {
    const names = ['site_name', 'registration_mode', 'custom_addresses_enabled'];
    const values = new Set(names);
    await this.#compare(
      'to a guest: settings',
      () =>
        this.#db
          .prepare('SELECT name, value FROM settings ORDER BY name')
          .all()
          .filter(({ name }) => values.has(name as string)),
      () => this.#get('/api/v1/config', {}, (bytes) => names.map((name) => dataOf(bytes)[name])),
      (rows) => names.map((name) => JSON.parse(rows.find((row) => row.name === name)?.value as string)),
    );
  }

  /** What the service sends, or the status of its refusal; undefined: it has failed, which isn't contrary to anything. */
  async #get(path: string, headers: Record<string, string>, read: (bytes: Buffer) => unknown): Promise<unknown> {
    const response = await fetch(this.#site.owner.client.baseUrl + path, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status >= 500) return undefined;
    return response.ok ? read(bytes) : response.status;
  }

  async #compare<T>(what: string, read: () => T, send: (state: T) => Promise<unknown>, expect: (state: T) => unknown) {
    const state = read();
    const sent = await send(state);
    // What has changed meanwhile may have been sent before or after.
    if (sent === undefined || !isDeepStrictEqual(read(), state)) return;
    this.made++;
    if (!isDeepStrictEqual(sent, expect(state))) this.contrary.push(`${what}: ${JSON.stringify({ state, sent })}`);
  }

  #latest(sql: string, known: Set<string>): string | undefined {
    for (const { id } of this.#db.prepare(sql).all()) known.add(id as string);
    const ids = [...known].slice(-LATEST);
    return ids.length > 0 ? this.#random.pick(ids) : undefined;
  }
}

const dataOf = (bytes: Buffer) => (JSON.parse(bytes.toString()) as { data: Record<string, unknown> }).data;
