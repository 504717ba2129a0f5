import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FoundFile } from '#transfer/walk.ts';
import { describeError } from '../../errors.ts';
import { albumNames, type Job } from '../job.ts';
import { type Picture, plainPicture } from '../picture.ts';
import { originalOf } from './edited.ts';
import type { ExportedFile, TakeoutExport } from './export.ts';
import { type PictureData, readData } from './metadata.ts';
import { folded, partsOf } from './names.ts';
import type { TakeoutSummary } from './summary.ts';

/** A file with what its JSON file says. */
interface Described {
  file: ExportedFile;
  data: PictureData | undefined;
}

/** The pictures of an export. Files with the same bytes, such as those of a year and an album, are one. */
export class ExportedPictures {
  readonly #export: TakeoutExport;
  readonly #job: Job;
  readonly #summary: TakeoutSummary;
  readonly #bySize: Map<number, ExportedFile[]>;
  readonly #visited = new Set<ExportedFile>();
  readonly #hashes = new Map<ExportedFile, Promise<string | undefined>>();

  constructor(found: TakeoutExport, job: Job, summary: TakeoutSummary) {
    this.#export = found;
    this.#job = job;
    this.#summary = summary;
    this.#bySize = Map.groupBy(found.files, ({ size }) => size);
  }

  /** Those that no earlier run has uploaded. @param isOver asked before each */
  async *until(isOver: () => boolean): AsyncGenerator<Picture> {
    for (const file of this.#export.files) {
      if (isOver()) return;
      if (this.#visited.has(file) || this.#isDone(file)) continue;
      const described = await this.#describe(file);
      if (!described) continue;
      const picture = this.#combine(await this.#sameAs(described));
      if (picture) yield picture;
    }
  }

  /** Whether neither this file nor one that may have the same bytes has to be looked at. */
  #isDone({ size }: ExportedFile): boolean {
    const files = this.#bySize.get(size)?.filter((file) => !this.#visited.has(file)) ?? [];
    if (!files.every((file) => this.#job.journal.has(file))) return false;
    for (const file of files) this.#visited.add(file);
    this.#job.summary.imported_before += files.length;
    return true;
  }

  /** The file, and those with the same bytes. */
  async #sameAs(first: Described): Promise<Described[]> {
    const { file } = first;
    const same = [first];
    this.#visited.add(file);
    for (const other of this.#bySize.get(file.size) ?? []) {
      if (this.#visited.has(other) || !(await this.#isSame(file, other))) continue;
      const described = await this.#describe(other);
      this.#visited.add(other);
      if (described) same.push(described);
    }
    return same;
  }

  async #isSame(one: ExportedFile, other: ExportedFile): Promise<boolean> {
    const hash = await this.#hash(one);
    return hash !== undefined && hash === (await this.#hash(other));
  }

  /** Undefined for a file that can't be read, which the upload reports. */
  #hash(file: ExportedFile): Promise<string | undefined> {
    const hash = this.#hashes.get(file) ?? sha256(file).catch(() => undefined);
    this.#hashes.set(file, hash);
    return hash;
  }

  /** Undefined if the file was in the trash of Google Photos. */
  async #describe(file: ExportedFile): Promise<Described | undefined> {
    const { run, report } = this.#job;
    const { sidecar } = file;
    try {
      const data = sidecar && (await readData(sidecar));
      if (data?.kind !== 'picture') {
        this.#summary.without_json++;
        return { file, data: undefined };
      }
      if (!data.isTrashed) return { file, data };
      this.#visited.add(file);
      this.#summary.trashed++;
      await report?.add(file, { status: 'trashed' });
      return undefined;
    } catch (error) {
      this.#summary.damaged_json++;
      run.terminal.note(`${sidecar?.relative}: ${describeError(error)}. ${posix.basename(file.relative)} is uploaded without its data.`);
      return { file, data: undefined };
    }
  }

  /** Undefined if all its files have been uploaded before. */
  #combine(same: Described[]): Picture | undefined {
    const { journal, summary } = this.#job;
    const before = same.filter(({ file }) => journal.has(file));
    const rest = same.filter(({ file }) => !journal.has(file));
    summary.imported_before += before.length;
    const [first] = rest;
    if (!first) return undefined;
    if (same.some(({ data }) => data?.isArchived)) this.#summary.archived++;
    const known = before.map(({ file }) => journal.keyOf(file));
    return {
      ...plainPicture(first.file, this.#albumsOf(rest)),
      name: nameOf(first),
      ...timeOf(same),
      takeout: {
        copies: rest.slice(1).map(({ file }) => file),
        caption: same.map(({ data }) => data?.caption ?? '').find(Boolean) ?? '',
        favourite: same.some(({ data }) => data?.isFavourite),
        ...(known.length > 0 && { known: { key: known.find(Boolean) } }),
      },
    };
  }

  #albumsOf(files: Described[]): string[] {
    const named = files.flatMap(({ file }) => albumNames(this.#job, file));
    return [...new Set([...named, ...files.flatMap(({ file }) => file.album ?? [])])];
  }
}

/** The name that the picture had when it was added to Google Photos; an edited copy keeps the one that distinguishes it. */
function nameOf({ file, data }: Described): string {
  const name = posix.basename(file.relative);
  return data?.title && originalOf(partsOf(folded(name)).base) === undefined ? data.title : name;
}

function timeOf(same: Described[]): Partial<Pick<Picture, 'time'>> {
  const time = same.map(({ data }) => data?.time).find((found) => found?.taken_at);
  return time ? { time } : {};
}

async function sha256({ path }: Pick<FoundFile, 'path'>): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
