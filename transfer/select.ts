import picomatch from 'picomatch';
import { PICTURE_EXTS } from '#api/formats.ts';

/** A pattern that can match nothing. */
export class PatternError extends Error {
  override name = 'PatternError';
}

/** Selects files of a folder. */
export interface FilterOptions {
  recursive: boolean;
  /** The extensions of what is taken without `include`; those of pictures if absent. */
  exts?: readonly string[];
  hidden?: boolean;
  include?: string[];
  exclude?: string[];
}

export interface Filters {
  recursive: boolean;
  /** Paths are relative to the folder, with `/` between names. */
  takesFile(path: string): boolean;
  takesFolder(path: string): boolean;
  /** Whether a file matches `include`, even if it is excluded. */
  takesType(path: string): boolean;
  isHidden(name: string): boolean;
  /** The patterns of `exclude` that have matched nothing so far. */
  unused(): string[];
}

/**
 * Compiles patterns like those of `.gitignore`: one without a slash matches names at any depth, `**` any number of folders. Case is ignored.
 * Without `include`, all files with one of some extensions are taken.
 * @throws PatternError if a pattern is empty
 */
export function compileFilters({ recursive, hidden, exts = PICTURE_EXTS, include, exclude = [] }: FilterOptions): Filters {
  const included = matcher(include ?? [`**/*.{${exts.join(',')}}`]);
  const excluded = matcher(exclude);
  return {
    recursive,
    takesFile: (path) => !excluded.test(path) && included.test(path),
    // A pattern such as `cache/**` matches everything below, so the folder needn't be read.
    takesFolder: (path) => !excluded.test(path) && !excluded.test(`${path}/`) && !excluded.test(`${path}/\0`),
    takesType: included.test,
    isHidden: (name) => !hidden && name.startsWith('.'),
    unused: excluded.unused,
  };
}

function matcher(patterns: string[]) {
  const tests = patterns.map(compile);
  const used = new Set<number>();
  return {
    test(path: string): boolean {
      const hits = tests.flatMap((test, i) => (test(path) ? [i] : []));
      for (const i of hits) used.add(i);
      return hits.length > 0;
    },
    unused: () => patterns.filter((_, i) => !used.has(i)),
  };
}

function compile(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
  if (!clean) throw new PatternError(`The pattern ${JSON.stringify(pattern)} is empty.`);
  // Names may contain line breaks, which `.` matches only with the flag `s`.
  return picomatch(clean.includes('/') ? clean : [clean, `**/${clean}`], { dot: true, flags: 'is' });
}
