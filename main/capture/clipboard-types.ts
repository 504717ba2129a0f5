import { FORMATS, type Format } from '#api/formats.ts';

/** The type that Electron gives to a format of the system without a standard media type, such as `image/gif` on X11 or `PNG` on Windows. */
const SYSTEM_FORMAT = /^electron application\/osclipboard;format="(.+)"$/;

/** A name that a system has for a format: a media type, a uniform type identifier of macOS, or what programs register on Windows. */
interface SystemName {
  name: string;
  rank: number;
  ext: string;
}

function namesOf({ exts: [ext], types, clipboard }: Format): SystemName[] {
  if (!clipboard) return [];
  const { rank, names, original } = clipboard;
  const all = [...types, ...names].map((name) => ({ name, rank, ext }));
  return original ? [...all, { name: original, rank: 0, ext }] : all;
}

/** The best first. */
const KNOWN = Object.values<Format>(FORMATS)
  .flatMap(namesOf)
  .sort((one, other) => one.rank - other.rank);

/** A type under which the clipboard holds a picture, and the file extension for it. */
export interface PictureType {
  type: string;
  ext: string;
}

/** The types among `types` that hold a picture, the best one first. */
export function pictureTypes(types: readonly string[]): PictureType[] {
  return KNOWN.flatMap(({ name, ext }) => types.filter((type) => formatName(type) === name).map((type) => ({ type, ext })));
}

function formatName(type: string) {
  return (SYSTEM_FORMAT.exec(type)?.[1] ?? type).toLowerCase();
}
