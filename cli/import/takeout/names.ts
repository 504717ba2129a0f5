import { PICTURE_EXTS } from '#api/formats.ts';

/** Videos and motion photos of Google Photos, of which Pixdock stores some. */
export const VIDEO_EXTENSIONS = [
  'mp4',
  'mov',
  'm4v',
  'mp',
  'mv',
  '3gp',
  'avi',
  'mkv',
  'webm',
  'mpg',
  'mpeg',
  'mts',
  'm2ts',
  'wmv',
] as const;
const EXTENSIONS = [...PICTURE_EXTS, ...VIDEO_EXTENSIONS];

const SUPPLEMENTAL = '.supplemental-metadata';
/** Google cuts the name of a JSON file to this length, without `.json` and the number. */
const MAX_STEM = 46;

/** A name for comparing: macOS decomposes accents, and JSON files may differ in case. */
export const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** The parts of a picture's name: `IMG_1(2).jpg` is the base `IMG_1`, the number 2 and the extension `.jpg`. */
export interface NameParts {
  base: string;
  /** 0: none. */
  number: number;
  extension: string;
}

/** Splits a name, which should be folded. */
export function partsOf(name: string): NameParts {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return { ...numbered(stem), extension };
}

function numbered(stem: string): Pick<NameParts, 'base' | 'number'> {
  const [, base = stem, digits = '0'] = /^(.+)\((\d{1,6})\)$/.exec(stem) ?? [];
  return { base, number: Number(digits) };
}

/** What a JSON file's name says: `IMG_1.jpg.supplemental-metadata(2).json` is the stem `IMG_1.jpg.supplemental-metadata` and the number 2. */
export interface SidecarName {
  stem: string;
  number: number;
  /** The names that it can stand for: the stem, without any beginning of `.supplemental-metadata`. */
  subjects: string[];
}

/** Reads the name of a JSON file, which should be folded. */
export function sidecarName(name: string): SidecarName {
  const { base: stem, number } = numbered(name.replace(/\.json$/, ''));
  const subjects = [stem];
  for (let length = 1; length <= SUPPLEMENTAL.length; length++) {
    if (stem.endsWith(SUPPLEMENTAL.slice(0, length))) subjects.push(stem.slice(0, -length));
  }
  return { stem, number, subjects };
}

/** One way to find the JSON file of a picture: what it must be called, and its number. */
export interface Lookup {
  subject: string;
  number: number;
}

/** The ways to find a picture's JSON file, the surest first. */
export function lookups({ base, number, extension }: NameParts): Lookup[][] {
  const whole = number ? `${base}(${number})` : base;
  return [
    [
      { subject: whole + extension, number: 0 },
      // The number moves: that of `IMG_1(2).jpg` is `IMG_1.jpg(2).json`.
      { subject: base + extension, number },
    ],
    cutSubjects(base + extension).map((subject) => ({ subject, number })),
    // The title had no extension.
    [
      { subject: base, number },
      { subject: whole, number: 0 },
    ],
    // Google converted the picture: `IMG_1.jpg` belongs to `IMG_1.heic.json`.
    EXTENSIONS.map((other) => ({ subject: `${base}.${other}`, number })),
  ];
}

/** What is left of a long name after a cut, which may fall into its extension. Other scripts may be counted in bytes. */
function cutSubjects(name: string): string[] {
  const cut: string[] = [];
  for (let end = name.length - 1; Buffer.byteLength(name.slice(0, end)) >= MAX_STEM; end--) cut.push(name.slice(0, end));
  return cut;
}

/** Whether a picture with this title can have got this name: Google replaces characters and cuts long names. */
export function mayBeCalled(title: string, { base, extension }: NameParts): boolean {
  const wanted = partsOfTitle(title);
  const [ofTitle, ofName] = [plain(wanted.base), plain(base)];
  const isSame = base.length < MAX_STEM ? ofTitle === ofName : ofTitle.startsWith(ofName);
  return isSame && (!wanted.extension || wanted.extension === extension);
}

/** The same for a title and every name of which {@link mayBeCalled} can be true. */
export const titleKey = (title: string): string => baseKey(partsOfTitle(title).base);
export const baseKey = (base: string): string => plain(base).slice(0, MAX_STEM);

/** A title needn't have an extension, but may have dots. */
function partsOfTitle(title: string): Pick<NameParts, 'base' | 'extension'> {
  const [extension = ''] = /\.\w+$/.exec(folded(title)) ?? [];
  const isKnown = EXTENSIONS.some((known) => extension === `.${known}`);
  return isKnown ? { base: folded(title).slice(0, -extension.length), extension } : { base: folded(title), extension: '' };
}

const plain = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '_');
