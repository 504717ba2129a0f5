import { isUtf8 } from 'node:buffer';
import { access, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import pMap from 'p-map';
import { getConfig } from '#api/config.ts';
import type { FormFields } from '#api/images/upload.ts';
import { several } from '#server/platform/base/several.ts';
import { openFile, openInside } from '#transfer/open-file.ts';
import { CommandError, describeError, EMPTY, EXIT, UsageError } from '../errors.ts';
import type { ConvertOptions, ServerOptions, SharingOptions } from '../options.ts';
import { formatBytes, printable } from '../printable.ts';
import { writeAtomically } from '../replace-file.ts';
import type { Run } from '../run.ts';
import { findClash, findDocuments, type TextDocument } from './documents.ts';
import { Locator, type Target } from './locate.ts';
import { Parser } from './parser.ts';
import { type PictureLink, written } from './picture-link.ts';
import { PictureUploads } from './picture-uploads.ts';

/** The options of `pixdock markdown`. */
export interface MarkdownOptions extends ServerOptions, SharingOptions, ConvertOptions {
  remote?: boolean;
  outside?: boolean;
  dryRun?: boolean;
  inPlace?: boolean;
  out?: string;
  json?: boolean;
  album?: string[];
}

/** A link to a picture that is to be uploaded. */
interface Found extends PictureLink {
  line: number;
  location: Target;
  /** Bytes; undefined for pictures of other servers. */
  size: number | undefined;
}

/** A document with its links. */
interface Plan {
  document: TextDocument;
  bytes: Buffer;
  links: Found[];
}

const MAX_DOCUMENTS = 8;

/**
 * Uploads the pictures of documents and replaces the links to them.
 * @param prepareFields called before the first upload
 * @returns the exit code
 */
export async function rewriteDocuments(
  names: string[],
  options: MarkdownOptions,
  run: Run,
  prepareFields: () => Promise<FormFields>,
  signal: AbortSignal,
): Promise<number> {
  const job = new Rewriting(options, run, signal);
  const documents = await job.find(names);
  const plans = await job.plan(documents);
  if (options.dryRun) return job.list(await job.readable(plans));
  const uploads = new PictureUploads(run, plans.some(({ links }) => links.length > 0) ? await prepareFields() : {}, signal);
  return job.run(plans, uploads);
}

class Rewriting {
  readonly #options: MarkdownOptions;
  readonly #run: Run;
  readonly #signal: AbortSignal;
  readonly #locator: Locator;
  readonly #sources = new Set<string>();
  readonly #own = new Set<string>();
  #failed = 0;
  #replaced = 0;
  #changed = 0;

  constructor(options: MarkdownOptions, run: Run, signal: AbortSignal) {
    this.#options = options;
    this.#run = run;
    this.#signal = signal;
    this.#locator = new Locator(Boolean(options.outside), run.environment.home);
  }

  async find(names: string[]): Promise<TextDocument[]> {
    const { out, inPlace, dryRun } = this.#options;
    const all = await findDocuments(names, (name, error) => this.#problem(name, describeError(error)));
    const folder = out === undefined ? undefined : await realpath(out).catch(() => undefined);
    // What an earlier run has written there isn't a source.
    const documents = all.filter(({ path, base }) => !folder || base.startsWith(folder) || !path.startsWith(folder + sep));
    if (documents.length === 0 && this.#failed === 0) throw new CommandError('No Markdown or HTML files were found.');
    for (const { path } of documents) this.#sources.add(path);
    if (out !== undefined) refuseOut(documents, folder);
    else if (!inPlace && !dryRun && documents.length !== 1)
      throw new UsageError(
        'Use --in-place to change the files, --out to write copies to another folder, or --dry-run to list the pictures.',
      );
    return documents;
  }

  /** Reads documents and finds their pictures. */
  async plan(documents: TextDocument[]): Promise<Plan[]> {
    if (this.#options.remote) await this.#learnOwnAddresses();
    const plans: Plan[] = [];
    await using parser = new Parser(this.#signal);
    for (const document of documents) {
      this.#signal.throwIfAborted();
      try {
        plans.push(await this.#read(document, parser));
      } catch (error) {
        this.#signal.throwIfAborted();
        this.#problem(document.name, describeError(error));
      }
    }
    return plans;
  }

  /** Pictures that are on the server already needn't be uploaded. */
  async #learnOwnAddresses() {
    const { connection } = this.#run;
    const { base_url } = await this.#run.withRetries(() => connection.client.call(getConfig, {}), this.#signal);
    for (const address of [connection.baseUrl, base_url]) this.#own.add(new URL(address).origin);
  }

  async #read(document: TextDocument, parser: Parser): Promise<Plan> {
    const bytes = await readFile(document.path);
    if (!isUtf8(bytes)) throw new CommandError('it isn’t UTF-8 text');
    const text = bytes.toString();
    const isHtml = /\.html?$/i.test(document.path);
    const links: Found[] = [];
    let line = 1;
    let seen = 0;
    for (const link of await parser.picturesOf({ text, isHtml })) {
      line += text.slice(seen, link.start).split('\n').length - 1;
      seen = link.start;
      const found = await this.#locate(link, document, line);
      if (found) links.push(found);
    }
    return { document, bytes, links };
  }

  async #locate(link: PictureLink, document: TextDocument, line: number): Promise<Found | undefined> {
    const location = await this.#locator.locate(link, document);
    if (!location) return undefined;
    if ('problem' in location) {
      this.#problem(`${document.name}:${line}`, location.problem);
      return undefined;
    }
    if ('file' in location) return { ...link, line, location, size: location.size };
    const origin = URL.parse(location.address)?.origin;
    const isWanted = this.#options.remote && origin !== undefined && !this.#own.has(origin);
    return isWanted ? { ...link, line, location, size: undefined } : undefined;
  }

  /** Without the links to pictures that couldn't be uploaded, which are reported. */
  async readable(plans: Plan[]): Promise<Plan[]> {
    const problems = new Map<string, string | undefined>();
    const rest: Plan[] = [];
    for (const { links, ...plan } of plans) {
      const readable: Found[] = [];
      for (const link of links) {
        const { location } = link;
        if ('file' in location && !problems.has(location.file)) problems.set(location.file, await problemOf(location));
        const problem = 'file' in location ? problems.get(location.file) : undefined;
        if (problem === undefined) readable.push(link);
        else this.#problem(`${plan.document.name}:${link.line}`, `${link.target}: ${problem}`);
      }
      rest.push({ ...plan, links: readable });
    }
    return rest;
  }

  /** Prints what would be uploaded. */
  list(plans: Plan[]): number {
    for (const { document, links } of plans) for (const link of links) this.#print(document, link);
    const { count, bytes } = sumOf(plans);
    const links = plans.reduce((sum, plan) => sum + plan.links.length, 0);
    this.#run.terminal.note(
      `Would upload ${several(count, 'picture')} (${formatBytes(bytes)}) and replace ${several(links, 'link')} in ${several(plans.filter((plan) => plan.links.length).length, 'file')}.`,
    );
    return this.#failed ? EXIT.failed : EXIT.done;
  }

  async run(plans: Plan[], uploads: PictureUploads): Promise<number> {
    const { terminal } = this.#run;
    const { bytes } = sumOf(plans);
    terminal.startProgress(
      plans.reduce((sum, { links }) => sum + links.length, 0),
      bytes,
    );
    try {
      await pMap(plans, (plan) => this.#rewrite(plan, uploads), { concurrency: MAX_DOCUMENTS });
    } finally {
      terminal.stopProgress();
    }
    this.#signal.throwIfAborted();
    const { ending } = uploads;
    const failed = this.#failed ? `, ${this.#failed} failed` : '';
    terminal.note(`Replaced ${several(this.#replaced, 'link')} in ${several(this.#changed, 'file')}${failed}.`);
    if (ending) {
      terminal.problem(undefined, `Stopped early: ${describeError(ending)}`);
      terminal.note('To resume, run the same command again.');
    }
    return this.#failed || ending ? EXIT.failed : EXIT.done;
  }

  async #rewrite(plan: Plan, uploads: PictureUploads) {
    const edits = await Promise.all(plan.links.map((link) => this.#edit(plan.document, link, uploads)));
    // A document is written only once all its pictures have been tried.
    if (this.#signal.aborted || (uploads.ending && plan.links.length)) return;
    const done = edits.filter((edit) => edit !== undefined);
    try {
      await this.#write(plan, done);
    } catch (error) {
      return this.#problem(plan.document.name, describeError(error));
    }
    if (done.length === 0) return;
    this.#replaced += done.length;
    this.#changed++;
    if (this.#options.inPlace || this.#options.out !== undefined) for (const { link, url } of done) this.#print(plan.document, link, url);
  }

  async #edit(document: TextDocument, link: Found, uploads: PictureUploads) {
    const { location, size = 0, line } = link;
    try {
      const url = await ('file' in location ? uploads.ofFile(location.file, location.folder, size) : uploads.ofAddress(location.address));
      return { link, url, text: written(link, url + location.fragment) };
    } catch (error) {
      if (!this.#signal.aborted && !uploads.ending) this.#problem(`${document.name}:${line}`, `${link.target}: ${describeError(error)}`);
      return undefined;
    }
  }

  async #write({ document, bytes }: Plan, edits: { link: Found; text: string }[]) {
    const data = Buffer.from(applied(bytes.toString(), edits));
    const { out, inPlace } = this.#options;
    if (out !== undefined) {
      const path = join(out, document.relative);
      await mkdir(dirname(path), { recursive: true });
      // A folder in the one of --out can be a symbolic link to that of the files.
      if (this.#sources.has(join(await realpath(dirname(path)), basename(path))))
        throw new CommandError('its copy would replace the file itself; use --in-place to change it');
      await writeAtomically(path, data, await modeOf(document));
    } else if (!inPlace) {
      this.#run.io.stdout.write(data);
    } else if (edits.length > 0) {
      if (!bytes.equals(await readFile(document.path)))
        throw new CommandError('changed in the meantime and was left alone; run the command again');
      // Replacing needs no permission for the file, but a write-protected one is meant to stay.
      await access(document.path, constants.W_OK);
      await writeAtomically(document.path, data, await modeOf(document));
    }
  }

  #print({ name }: TextDocument, { line, target, location, size }: Found, url?: string) {
    const { terminal } = this.#run;
    const where = 'file' in location ? { file: location.file, size } : { address: location.address };
    if (this.#options.json) return terminal.line(JSON.stringify({ document: name, line, target, ...where, url }));
    const what = url === undefined ? (size === undefined ? '' : ` (${formatBytes(size)})`) : ` → ${url}`;
    terminal.line(`${printable(name)}:${line}: ${printable(target)}${what}`);
  }

  #problem(subject: string, reason: string) {
    this.#failed++;
    this.#run.terminal.problem(subject, reason);
  }
}

/** Why a picture couldn't be uploaded. */
async function problemOf({ file, folder, size }: Extract<Target, { file: string }>): Promise<string | undefined> {
  if (size === 0) return EMPTY;
  try {
    await using _ = await (folder === undefined ? openFile(file) : openInside(file, [folder]));
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

const modeOf = async ({ path }: TextDocument) => (await stat(path)).mode & 0o7777;

function applied(text: string, edits: { link: PictureLink; text: string }[]): string {
  let result = '';
  let end = 0;
  for (const { link, text: replacement } of edits.toSorted((one, other) => one.link.start - other.link.start)) {
    result += text.slice(end, link.start) + replacement;
    end = link.end;
  }
  return result + text.slice(end);
}

/** @throws UsageError if copies would replace a source, or each other */
function refuseOut(documents: TextDocument[], folder: string | undefined) {
  const clash = findClash(documents);
  if (clash) throw new UsageError(`${clash[0].name} and ${clash[1].name} would become the same file in the folder of --out.`);
  const sources = new Set(documents.map(({ path }) => path));
  if (folder && documents.some(({ relative }) => sources.has(join(folder, relative))))
    throw new UsageError('The folder of --out contains the files themselves. Use --in-place to change them.');
}

/** The pictures of documents, each counted once. */
function sumOf(plans: Plan[]): { count: number; bytes: number } {
  const sizes = new Map(
    plans.flatMap(({ links }) =>
      links.map(({ location, size = 0 }) => ['file' in location ? location.file : location.address, size] as const),
    ),
  );
  return { count: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}
