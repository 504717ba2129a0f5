import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_EXTS } from '#api/formats.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import { openFile, openInside } from '#transfer/open-file.ts';
import { decodeName, type Place, realPlace, spellings } from '#transfer/real-path.ts';
import { compileFilters } from '#transfer/select.ts';
import { walk } from '#transfer/walk.ts';
import { describeError } from '../errors.ts';
import type { TextDocument } from './documents.ts';
import type { PictureLink } from './picture-link.ts';

/** Where a link leads, or why it leads nowhere, for the user. */
export type Location = Target | { problem: string };

/**
 * Where a picture is that can be uploaded. `folder`: where its file must still be when it is opened, if not anywhere; `fragment`: what the link
 * adds, with its `#`.
 */
export type Target = { file: string; size: number; folder: string | undefined; fragment: string } | { address: string; fragment: string };

/** One way to read a target. */
interface Reading {
  path: string;
  fragment: string;
}

/** What a name says about its file. One of another type is left alone, unless it is a picture after all. */
type Kind = 'picture' | 'other' | 'untyped';

const PICTURES = new Set(ALL_EXTS);
/** Characters of a name in a message. */
const MAX_SHOWN = 300;
/** The bytes at the start of a file that show its format. */
const HEAD_BYTES = 4096;
/** What marks the folder of a site or vault. */
const MARKERS = ['.obsidian', '.git', 'mkdocs.yml', 'hugo.toml', 'hugo.yaml', 'config.toml', '_config.yml'];
/** Folders whose content is at the root of the site: Hugo's, Vite's and others', MkDocs'. */
const ROOTS = ['', 'static', 'public', 'assets', 'docs'];
/** The error codes of a file that doesn’t exist. */
const MISSING = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'];

/** Finds the files that links of documents lead to. */
export class Locator {
  readonly #projects = new Map<string, string>();
  readonly #indexes = new Map<string, Promise<Map<string, string[]>>>();
  readonly #spelling = spellings();
  readonly #home: string[];
  readonly #takesOutside: boolean;

  /** @param takesOutside whether links may lead out of the folder of a document: it may come from someone who wants other pictures published */
  constructor(takesOutside: boolean, home: string) {
    this.#takesOutside = takesOutside;
    this.#home = existsSync(home) ? [realpathSync(home)] : [];
  }

  /** Undefined if the link isn't to a picture. */
  async locate({ target, isName = false }: Pick<PictureLink, 'target' | 'isName'>, document: TextDocument): Promise<Location | undefined> {
    const fragment = /#[\w=&.,-]*$/.exec(target)?.[0] ?? '';
    if (/^(https?:)?\/\//i.test(target)) return { address: target.startsWith('//') ? `https:${target}` : target, fragment };
    const isFileUrl = /^file:/i.test(target);
    if (!isFileUrl && /^[a-z][a-z\d+.-]+:/i.test(target)) return undefined;
    const all = isFileUrl ? readingsOfUrl(target, fragment) : readings(target, fragment);
    if ('problem' in all) return named(target, all);
    const likely = all.filter(({ path }) => path !== '' && (isPicture(path) || !(isName || isNoName(path))));
    let refused: { problem: string } | undefined;
    for (const reading of likely) {
      const found = await this.#byPath(reading.path, document);
      const location = found && ('problem' in found ? found : await this.#judge(found, reading, document));
      if (location && !('problem' in location)) return location;
      // Another reading may be the right one.
      refused ??= location;
    }
    for (const { path, fragment: added } of likely.filter(({ path }) => isPicture(path))) {
      const found = await this.#byName(path, document, isName);
      if (found) return named(target, this.#inside(found, added, document));
    }
    if (refused) return named(target, refused);
    const missing = likely.find(({ path }) => kindOf(path) !== 'other');
    return missing && named(missing.path, { problem: 'no such file' });
  }

  /** Undefined for a file that isn't a picture, nor claims to be one. */
  async #judge(place: Place, { path, fragment }: Reading, document: TextDocument): Promise<Location | undefined> {
    const location = this.#inside(place, fragment, document);
    const kind = kindOf(path);
    if (kind === 'picture' || !('file' in location)) return location;
    try {
      if (await holdsPicture(location.file, location.folder)) return location;
    } catch (error) {
      return { problem: describeError(error) };
    }
    return kind === 'untyped' ? { problem: 'isn’t a picture' } : undefined;
  }

  /** A real path counts: a symbolic link leads out, too. */
  #inside({ path: file, stats: { size } }: Place, fragment: string, { base }: TextDocument): Location {
    if (this.#takesOutside) return { file, size, folder: undefined, fragment };
    const folder = this.#projectOf(base);
    if (file.startsWith(join(folder, sep))) return { file, size, folder, fragment };
    return { problem: `it is outside of ${folder}. Use --outside to upload such pictures, too.` };
  }

  /** The first file that a path can mean; undefined if there is none. Nothing on another computer is touched. */
  async #byPath(path: string, document: TextDocument): Promise<Place | { problem: string } | undefined> {
    let refused: { problem: string } | undefined;
    for (const candidate of path.includes('\0') ? [] : this.#candidates(path, document)) {
      try {
        const place = await this.#placeOf(candidate, document);
        if (place.stats.isFile()) return place;
      } catch (error) {
        if (!MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) refused ??= { problem: describeError(error) };
      }
    }
    return refused;
  }

  #placeOf(path: string, { base }: TextDocument): Promise<Place> {
    const trusted = [base, this.#projectOf(base), ...this.#home];
    return realPlace(path, { trusted, spelling: this.#spelling });
  }

  *#candidates(path: string, document: TextDocument): Generator<string> {
    const folder = dirname(document.path);
    const project = this.#projectOf(document.base);
    if (isAbsolute(path) || path.startsWith('/')) {
      for (let root = folder; ; root = dirname(root)) {
        for (const sub of ROOTS) yield join(root, sub, path);
        if (root === project || dirname(root) === root) break;
      }
      if (isAbsolute(path)) yield path;
      return;
    }
    yield join(folder, path);
    // Sites often publish page.md as page/index.html.
    yield join(folder, basename(document.path, extname(document.path)), path);
    yield join(project, path);
  }

  /** Obsidian links a picture by its name alone; if several have it, the one with the shortest path is meant. */
  async #byName(path: string, document: TextDocument, isName: boolean): Promise<Place | undefined> {
    const project = this.#projectOf(document.base);
    if (path.startsWith('.') || !(isName || existsSync(join(project, '.obsidian')))) return undefined;
    const index = this.#indexes.get(project) ?? indexOf(project);
    this.#indexes.set(project, index);
    const wanted = folded(path);
    const found = (await index).get(posix.basename(wanted))?.filter((other) => `/${folded(other)}`.endsWith(`/${wanted}`)) ?? [];
    const here = (other: string) => Number(dirname(join(project, other)) !== dirname(document.path));
    const [best] = found.sort((one, other) => here(one) - here(other) || one.length - other.length);
    return best === undefined ? undefined : this.#placeOf(join(project, best), document);
  }

  /** The nearest folder that looks like a site or vault, otherwise the given one. */
  #projectOf(base: string): string {
    const project = this.#projects.get(base) ?? findProject(base, this.#home);
    this.#projects.set(base, project);
    return project;
  }
}

/** A problem after the name that it concerns, which can have any length in a document. */
function named<L extends Location>(name: string, location: L): Location {
  if (!('problem' in location)) return location;
  return { problem: `${name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name}: ${location.problem}` };
}

function kindOf(path: string): Kind {
  const type = extname(path).slice(1).toLowerCase();
  if (PICTURES.has(type)) return 'picture';
  return /^\d*[a-z][a-z\d]*$/.test(type) ? 'other' : 'untyped';
}

const isPicture = (path: string) => kindOf(path) === 'picture';

/** Whether it is a place on the page, or the expression of a template or component: `{{ .Image }}`, `<%= url %>`, `{logo}`. */
const isNoName = (path: string) => /^[#?{]|\{\{|\{%|<%|\$\{/.test(path);

/** Whether a file is a picture by its first bytes. */
async function holdsPicture(path: string, folder: string | undefined): Promise<boolean> {
  await using file = await (folder === undefined ? openFile(path) : openInside(path, [folder]));
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return sniff(buffer.subarray(0, bytesRead)) !== undefined;
}

/** Names are compared without case, and in one normal form of Unicode. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

function findProject(base: string, home: readonly string[]): string {
  for (let folder = base; ; folder = dirname(folder)) {
    // A repository of settings would make everything there part of the site.
    if (home.includes(folder)) return base;
    if (MARKERS.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return base;
  }
}

/** What a target can mean, the usual first: links are percent-encoded and may end in a query or fragment; names may contain all of these. */
function readings(target: string, fragment: string): Reading[] {
  const path = target.replace(/[?#].*$/s, '');
  const paths = [decodeName(path), path].map((text) => ({ path: text, fragment }));
  const whole = [decodeName(target), target].map((text) => ({ path: text, fragment: '' }));
  const all = [...paths, ...whole];
  const unique = new Map(
    [...all, ...all.map((reading) => ({ ...reading, path: reading.path.replaceAll('\\', '/') }))].map((reading) => [reading.path, reading]),
  );
  return [...unique.values()];
}

function readingsOfUrl(target: string, fragment: string): Reading[] | { problem: string } {
  const url = URL.parse(target.replaceAll(' ', '%20'));
  if (!url) return [];
  if (url.host) return { problem: 'is on another computer' };
  try {
    return [{ path: fileURLToPath(url), fragment }];
  } catch {
    // No file has such a name, as with an encoded slash.
    return [];
  }
}

/** All pictures of a folder by name, in lower case. */
async function indexOf(folder: string): Promise<Map<string, string[]>> {
  const index = new Map<string, string[]>();
  const filters = compileFilters({ recursive: true, include: [`*.{${[...PICTURES]}}`], exclude: ['node_modules'] });
  // What can't be read isn't found, and is reported as missing.
  const events = { onSkip: () => undefined, onError: () => Promise.resolve() };
  for await (const { relative } of walk(folder, filters, events)) {
    const name = folded(posix.basename(relative));
    index.set(name, [...(index.get(name) ?? []), relative]);
  }
  return index;
}
