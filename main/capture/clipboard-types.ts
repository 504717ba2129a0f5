/** The type that Electron gives to a format of the system without a standard media type, such as `image/gif` on X11 or `PNG` on Windows. */
const SYSTEM_FORMAT = /^electron application\/osclipboard;format="(.+)"$/;

/**
 * Picture formats by the names that systems use: media types, macOS's uniform type identifiers and Windows's registered names.
 * Best first: an original before a converted copy, lossless formats before lossy ones. macOS offers a GIF only if it was copied as one.
 */
const PICTURE_FORMATS: Readonly<Record<string, string>> = {
  'com.compuserve.gif': 'gif',
  'image/png': 'png',
  'public.png': 'png',
  png: 'png',
  'image/webp': 'webp',
  'org.webmproject.webp': 'webp',
  'image/gif': 'gif',
  gif: 'gif',
  'image/avif': 'avif',
  'public.avif': 'avif',
  'image/heic': 'heic',
  'public.heic': 'heic',
  'image/jpeg': 'jpg',
  'public.jpeg': 'jpg',
  jfif: 'jpg',
  'image/tiff': 'tif',
  'public.tiff': 'tif',
  'image/bmp': 'bmp',
  'image/x-bmp': 'bmp',
  'image/x-ms-bmp': 'bmp',
};
const BY_WORTH = Object.keys(PICTURE_FORMATS);

/** A type under which the clipboard holds a picture, and the file extension for it. */
export interface PictureType {
  type: string;
  ext: string;
}

/** The types among `types` that hold a picture, the best one first. */
export function pictureTypes(types: readonly string[]): PictureType[] {
  const found = types.map((type) => ({ type, worth: BY_WORTH.indexOf(formatName(type)) })).filter(({ worth }) => worth >= 0);
  return found.sort((one, other) => one.worth - other.worth).map(({ type }) => ({ type, ext: PICTURE_FORMATS[formatName(type)] ?? '' }));
}

function formatName(type: string) {
  return (SYSTEM_FORMAT.exec(type)?.[1] ?? type).toLowerCase();
}
