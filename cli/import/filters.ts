import picomatch from 'picomatch';
import { UsageError } from '../errors.ts';

/** Which files of a folder are meant. */
export interface FilterOptions {
  recursive: boolean;
  hidden?: boolean;
  include?: string[];
  exclude?: string[];
}

export interface Filters {
  recursive: boolean;
  /** Paths are relative to the folder, with `/` between names. */
  takesFile(path: string): boolean;
  takesFolder(path: string): boolean;
  isHidden(name: string): boolean;
  /** The patterns of `exclude` that have left nothing out so far. */
  idle(): string[];
}

/** What Pixdock can be given, by the endings that such files usually have. */
const IMAGES = ['**/*.{jpg,jpeg,jfif,png,gif,webp,avif,heic,heif,bmp,tif,tiff}'];

/**
 * Compiles patterns as `.gitignore` has them: one without a slash is about names anywhere, `**` crosses folders. Case does not matter.
 * Without `include`, whatever has the ending of a picture is taken.
 * @throws UsageError when a pattern is empty
 */
export function compileFilters({ recursive, hidden, include = IMAGES, exclude = [] }: FilterOptions): Filters {
  const included = matcher(include);
  const excluded = matcher(exclude);
  return {
    recursive,
    takesFile: (path) => !excluded.test(path) && included.test(path),
    // A pattern such as `cache/**` is about everything below; there is no use in going there.
    takesFolder: (path) => !excluded.test(path) && !excluded.test(`${path}/`) && !excluded.test(`${path}/\0`),
    isHidden: (name) => !hidden && name.startsWith('.'),
    idle: excluded.idle,
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
    idle: () => patterns.filter((_, i) => !used.has(i)),
  };
}

function compile(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
  if (!clean) throw new UsageError(`The pattern ${JSON.stringify(pattern)} is empty.`);
  // Names may have line breaks, which `.` passes over only with the flag `s`.
  return picomatch(clean.includes('/') ? clean : [clean, `**/${clean}`], { dot: true, flags: 'is' });
}
