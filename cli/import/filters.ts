import picomatch from 'picomatch';

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
}

/** What Pixdock can be given, by the endings that such files usually have. */
const PICTURES = ['**/*.{jpg,jpeg,jfif,png,gif,webp,avif,heic,heif,bmp,tif,tiff}'];

/**
 * Compiles patterns as `.gitignore` has them: one without a slash is about names anywhere, `**` crosses folders. Case does not matter.
 * Without `include`, whatever has the ending of a picture is taken.
 */
export function compileFilters({ recursive, hidden, include = PICTURES, exclude = [] }: FilterOptions): Filters {
  const included = matcher(include);
  const excluded = matcher(exclude);
  return {
    recursive,
    takesFile: (path) => included(path) && !excluded(path),
    // A pattern such as `cache/**` is about everything below; there is no use in going there.
    takesFolder: (path) => !excluded(path) && !excluded(`${path}/`) && !excluded(`${path}/\0`),
    isHidden: (name) => !hidden && name.startsWith('.'),
  };
}

function matcher(patterns: string[]): (path: string) => boolean {
  // Names may have line breaks, which `.` passes over only with the flag `s`.
  const options = { dot: true, flags: 'is' };
  const tests = patterns.map((pattern) => {
    const clean = pattern.replace(/^\.?\//, '').replace(/\/$/, '');
    return picomatch(clean.includes('/') ? clean : [clean, `**/${clean}`], options);
  });
  return (path) => tests.some((test) => test(path));
}
