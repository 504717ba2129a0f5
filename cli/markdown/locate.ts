import { existsSync, realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFilters, IMAGE_EXTENSIONS } from '#transfer/select.ts';
import { walk } from '#transfer/walk.ts';
import type { TextDocument } from './documents.ts';
import type { PictureLink } from './picture-link.ts';

/**
 * Where a link leads: to a file, to another server, to a file that doesn't exist, or out of the folder. `fragment` is what the link adds, with its
 * `#`.
 */
export type Location = Target | { missing: string } | { outside: string; folder: string };

/** Where a picture is that can be uploaded. `folder`: where its file must still be when it is opened, if not anywhere. */
export type Target = { file: string; folder: string | undefined; fragment: string } | { address: string; fragment: string };

/** One way to read a target. */
interface Reading {
  path: string;
  fragment: string;
}

const PICTURES = new Set<string>([...IMAGE_EXTENSIONS, 'svg']);
/** What marks the folder of a site or vault. */
const MARKERS = ['.obsidian', '.git', 'mkdocs.yml', 'hugo.toml', 'hugo.yaml', 'config.toml', '_config.yml'];
/** Folders whose content is at the root of the site: Hugo's, Vite's and others', MkDocs'. */
const ROOTS = ['', 'static', 'public', 'assets', 'docs'];

/** Finds the files that links of documents lead to. */
export class Locator {
  readonly #projects = new Map<string, string>();
  readonly #indexes = new Map<string, Promise<Map<string, string[]>>>();
  readonly #takesOutside: boolean;

  /** @param takesOutside whether links may lead out of the folder of a document: it may come from someone who wants other pictures published */
  constructor(takesOutside: boolean) {
    this.#takesOutside = takesOutside;
  }

  /** Undefined if the link isn't to a picture. */
  async locate({ target, isName }: Pick<PictureLink, 'target' | 'isName'>, document: TextDocument): Promise<Location | undefined> {
    const fragment = /#[\w=&.,-]*$/.exec(target)?.[0] ?? '';
    if (/^(https?:)?\/\//i.test(target)) return { address: target.startsWith('//') ? `https:${target}` : target, fragment };
    const isFileUrl = /^file:\/\//i.test(target);
    if (!isFileUrl && /^[a-z][a-z\d+.-]+:/i.test(target)) return undefined;
    const all = isFileUrl ? readingsOfUrl(target, fragment) : readings(target, fragment);
    const likely = all.filter(({ path }) => PICTURES.has(extname(path).slice(1).toLowerCase()));
    for (const reading of likely) {
      for (const path of this.#candidates(reading.path, document)) {
        if (await isFile(path)) return this.#inside(await realpath(path), reading.fragment, document);
      }
    }
    for (const reading of likely) {
      const file = await this.#byName(reading.path, document, Boolean(isName));
      if (file) return this.#inside(file, reading.fragment, document);
    }
    return likely[0] && { missing: likely[0].path };
  }

  /** A real path counts: a symbolic link leads out, too. */
  #inside(file: string, fragment: string, { base }: TextDocument): Location {
    if (this.#takesOutside) return { file, folder: undefined, fragment };
    const folder = this.#projectOf(base);
    return file.startsWith(join(folder, sep)) ? { file, folder, fragment } : { outside: file, folder };
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
  async #byName(path: string, { path: document, base }: TextDocument, isName: boolean): Promise<string | undefined> {
    const project = this.#projectOf(base);
    if (path.startsWith('.') || !(isName || existsSync(join(project, '.obsidian')))) return undefined;
    const index = this.#indexes.get(project) ?? indexOf(project);
    this.#indexes.set(project, index);
    const wanted = path.toLowerCase();
    const found = (await index).get(posix.basename(wanted))?.filter((other) => `/${other.toLowerCase()}`.endsWith(`/${wanted}`)) ?? [];
    const here = (other: string) => Number(dirname(join(project, other)) !== dirname(document));
    const [best] = found.sort((one, other) => here(one) - here(other) || one.length - other.length);
    return best === undefined ? undefined : realpath(join(project, best));
  }

  /** The nearest folder that looks like a site or vault, otherwise the given one. */
  #projectOf(base: string): string {
    const project = this.#projects.get(base) ?? findProject(base);
    this.#projects.set(base, project);
    return project;
  }
}

function findProject(base: string): string {
  const home = existsSync(homedir()) ? realpathSync(homedir()) : undefined;
  for (let folder = base; ; folder = dirname(folder)) {
    // A repository of settings would make everything there part of the site.
    if (folder === home) return base;
    if (MARKERS.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return base;
  }
}

/** What a target can mean, the usual first: links are percent-encoded and may end in a query or fragment; names may contain all of these. */
function readings(target: string, fragment: string): Reading[] {
  const path = target.replace(/[?#].*$/s, '');
  const paths = [decode(path), path].map((text) => ({ path: text, fragment }));
  const whole = [decode(target), target].map((text) => ({ path: text, fragment: '' }));
  const all = [...paths, ...whole];
  return [...all, ...all.map((reading) => ({ ...reading, path: reading.path.replaceAll('\\', '/') }))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign belongs to the name.
    return text;
  }
}

function readingsOfUrl(target: string, fragment: string): Reading[] {
  const url = URL.parse(target.replaceAll(' ', '%20'));
  if (!url || url.host) return [];
  try {
    return [{ path: fileURLToPath(url), fragment }];
  } catch {
    // No file has such a name, as with an encoded slash.
    return [];
  }
}

async function isFile(path: string): Promise<boolean> {
  if (path.includes('\0')) return false;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(error.code ?? '')) return undefined;
    throw error;
  });
  return Boolean(found?.isFile());
}

/** All pictures of a folder by name, in lower case. */
async function indexOf(folder: string): Promise<Map<string, string[]>> {
  const index = new Map<string, string[]>();
  const filters = compileFilters({ recursive: true, include: [`*.{${[...PICTURES]}}`], exclude: ['node_modules'] });
  // What can't be read isn't found, and is reported as missing.
  const events = { onSkip: () => undefined, onError: () => Promise.resolve() };
  for await (const { relative } of walk(folder, filters, events)) {
    const name = posix.basename(relative).toLowerCase();
    index.set(name, [...(index.get(name) ?? []), relative]);
  }
  return index;
}
