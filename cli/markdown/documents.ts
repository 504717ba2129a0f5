import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compileFilters } from '#transfer/select.ts';
import { walk } from '#transfer/walk.ts';
import { describeError, UsageError } from '../errors.ts';

export const DOCUMENT_EXTENSIONS = ['md', 'markdown', 'mdown', 'mkd', 'html', 'htm'] as const;

/** A Markdown or HTML file. */
export interface TextDocument {
  /** As messages show it. */
  name: string;
  /** Its real path. */
  path: string;
  /** Where it goes below another folder. */
  relative: string;
  /** The real path of the given folder that contains it; its own, for a single file. */
  base: string;
}

/**
 * The documents that were named, and all in the folders that were named, each once.
 * @param onError called for a folder that can't be read
 * @throws UsageError if a file or folder doesn't exist, or two files would have the same name in another folder
 */
export async function findDocuments(names: readonly string[], onError: (name: string, error: Error) => void): Promise<TextDocument[]> {
  const found = new Map<string, TextDocument>();
  for (const name of names) {
    for await (const document of documentsAt(name, onError)) if (!found.has(document.path)) found.set(document.path, document);
  }
  return [...found.values()];
}

async function* documentsAt(name: string, onError: (name: string, error: Error) => void): AsyncGenerator<TextDocument> {
  const path = await realpath(name).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Can’t open ${name}: ${describeError(error)}.`, { cause: error });
  });
  if (!(await stat(path)).isDirectory()) return yield { name, path, relative: basename(name), base: dirname(path) };
  const filters = compileFilters({ recursive: true, include: [`*.{${DOCUMENT_EXTENSIONS}}`], exclude: ['node_modules'] });
  const events = {
    onSkip: () => undefined,
    onError: async (entry: { relative: string }, error: Error) => onError(join(name, entry.relative), error),
  };
  for await (const { path: raw, relative } of walk(path, filters, events))
    yield { name: join(name, relative), path: raw.toString(), relative, base: path };
}

/** Two documents that would have the same name below another folder. */
export function findClash(documents: readonly TextDocument[]): [TextDocument, TextDocument] | undefined {
  const byName = new Map<string, TextDocument>();
  for (const document of documents) {
    const other = byName.get(document.relative);
    if (other) return [other, document];
    byName.set(document.relative, document);
  }
  return undefined;
}
