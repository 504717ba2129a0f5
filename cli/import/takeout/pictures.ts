import { posix } from 'node:path';
import pMap from 'p-map';
import { openFound } from '#transfer/walk.ts';
import { describeError } from '../../errors.ts';
import { hashFile } from '../../hash-file.ts';
import { albumNames, type Job } from '../job.ts';
import { type Picture, plainPicture } from '../picture.ts';
import { originalOf } from './edited.ts';
import type { ExportedFile, TakeoutExport } from './export.ts';
import { type PictureData, readData } from './metadata.ts';
import { folded, partsOf } from './names.ts';
import type { TakeoutSummary } from './summary.ts';

const MAX_HASHES = 4;

/** A file with what its JSON file says; null if that is damaged. */
interface Described {
  file: ExportedFile;
  data: PictureData | null | undefined;
}

/** The pictures of an export. Files with the same bytes, such as those of a year and an album, are one. */
export class ExportedPictures {
  readonly #files: readonly ExportedFile[];
  readonly #job: Job;
  readonly #summary: TakeoutSummary;
  /** Files that haven't been compared yet. */
  readonly #bySize: Map<number, ExportedFile[]>;
  /** Those of which several have the same bytes. */
  readonly #groups = new Map<ExportedFile, ExportedFile[]>();
  readonly #visited = new Set<ExportedFile>();

  constructor({ files }: TakeoutExport, job: Job, summary: TakeoutSummary) {
    this.#files = files;
    this.#job = job;
    this.#summary = summary;
    this.#bySize = Map.groupBy(files, ({ size }) => size);
  }

  /** Those that no earlier run has uploaded. @param isOver asked before each */
  async *until(isOver: () => boolean): AsyncGenerator<Picture> {
    for (const file of this.#files) {
      if (isOver()) return;
      if (this.#visited.has(file) || this.#isDone(file)) continue;
      const same = [];
      for (const member of await this.#groupOf(file)) {
        this.#visited.add(member);
        const described = await this.#describe(member);
        if (described) same.push(described);
      }
      // Two of Pixdock's own may have the same bytes, and differ in who may see them.
      for (const one of Map.groupBy(same, ({ data }) => data?.own?.key).values()) {
        const picture = this.#combine(one);
        if (picture) yield picture;
      }
    }
  }

  /** Whether neither this file nor one that may have the same bytes has to be looked at. */
  #isDone({ size }: ExportedFile): boolean {
    const { journal, summary } = this.#job;
    const files = this.#bySize.get(size);
    if (!files?.every((file) => journal.has(file))) return false;
    for (const file of files) this.#visited.add(file);
    summary.imported_before += files.length;
    return true;
  }

  /** The file, and those with the same bytes. */
  async #groupOf(file: ExportedFile): Promise<ExportedFile[]> {
    const files = this.#bySize.get(file.size) ?? [];
    this.#bySize.delete(file.size);
    if (files.length > 1) {
      // A file that can't be read is like no other; its upload reports the reason.
      const hashes = await pMap(files, (each) => hashOf(each).catch(() => each.relative), { concurrency: MAX_HASHES });
      const found = Map.groupBy(files.keys(), (index) => hashes[index]);
      for (const indexes of found.values()) {
        const group = indexes.map((index) => files[index] as ExportedFile);
        if (group.length > 1) for (const member of group) this.#groups.set(member, group);
      }
    }
    return this.#groups.get(file) ?? [file];
  }

  /** Undefined if the file was in the trash of Google Photos. */
  async #describe(file: ExportedFile): Promise<Described | undefined> {
    const { run, report } = this.#job;
    const { sidecar } = file;
    try {
      const data = sidecar && (await readData(sidecar));
      if (data?.kind !== 'picture') return { file, data: undefined };
      if (!data.isTrashed) return { file, data };
      this.#summary.trashed++;
      await report?.add(file, { status: 'trashed' });
      return undefined;
    } catch (error) {
      this.#summary.damaged_json++;
      run.terminal.note(`${sidecar?.relative}: ${describeError(error)}. ${posix.basename(file.relative)} is uploaded without its data.`);
      return { file, data: null };
    }
  }

  /** Undefined if all its files have been uploaded before, or were in the trash. */
  #combine(same: Described[]): Picture | undefined {
    const { journal, summary } = this.#job;
    const before = same.filter(({ file }) => journal.has(file));
    const rest = same.filter(({ file }) => !journal.has(file));
    summary.imported_before += before.length;
    const [first] = rest;
    if (!first) return undefined;
    if (same.every(({ data }) => data === undefined)) this.#summary.without_json++;
    if (same.some(({ data }) => data?.isArchived)) this.#summary.archived++;
    const known = before.map(({ file }) => journal.keyOf(file));
    return {
      ...plainPicture(first.file, this.#albumsOf(rest)),
      name: nameOf(rest.find(({ data }) => data?.title) ?? first),
      ...timeOf(same),
      ...ownOf(same),
      caption: same.map(({ data }) => data?.caption ?? '').find(Boolean) ?? '',
      favourite: same.some(({ data }) => data?.isFavourite),
      takeout: {
        copies: rest.slice(1).map(({ file }) => file),
        ...(known.length > 0 && { known: { key: known.find(Boolean) } }),
      },
    };
  }

  #albumsOf(files: Described[]): string[] {
    const named = files.flatMap(({ file }) => albumNames(this.#job, file));
    return [...new Set([...named, ...files.flatMap(({ file }) => file.album ?? [])])];
  }
}

async function hashOf(found: ExportedFile): Promise<string> {
  await using file = await openFound(found);
  return await hashFile(file.handle);
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

/** What Pixdock has written. */
function ownOf(same: Described[]): Partial<Pick<Picture, 'fields' | 'changes'>> {
  const own = same.map(({ data }) => data?.own).find(Boolean);
  if (!own) return {};
  const { title, alt, tags, visibility, slug, expires_at, views_left, taken_at } = own;
  return {
    fields: {
      ...(visibility && { visibility }),
      ...(expires_at && Date.parse(expires_at) > Date.now() && { expires_at }),
    },
    changes: {
      tags,
      ...(title && { title }),
      ...(alt && { alt }),
      ...(slug && { slug }),
      ...(views_left && { max_views: views_left }),
      ...(taken_at && { taken_at }),
    },
  };
}
