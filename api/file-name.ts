import { bytesOf, cleanLine, cutText } from './plain-text.ts';

/** What file systems take; in UTF-8, they count bytes. */
const MAX_FILE_NAME_BYTES = 255;

/** Names that Windows reserves for devices, whatever their extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])$/i;
const RESERVED = /[<>:"/\\|?*]/g;
const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;

/**
 * The name of a file for something that a user has named: one that every system can store and unpack, at most 255 bytes long. It names no
 * folder, device or hidden file.
 * @param name may have an extension, which `ext` replaces
 * @param ending what follows the name, such as the number of a second one; it is never cut
 */
export function fileNameOf(name: string, ext: string, ending = ''): string {
  const clean = cleanLine(name.replace(EXTENSION, ''))
    .replace(RESERVED, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const isDevice = DEVICE.test(clean.split('.', 1)[0] as string);
  return shortFileName(isDevice ? `picture ${clean}.${ext}` : `${clean}.${ext}`, ext, ending);
}

/** The same for a name that programs adapt to their system, as browsers do with that of a download: only its length is limited. */
export function shortFileName(name: string, ext: string, ending = ''): string {
  const rest = `${ending}.${ext}`;
  const base = cleanLine(name.replace(EXTENSION, '')) || 'picture';
  // A cut may end in a space.
  return cutText(base, MAX_FILE_NAME_BYTES - bytesOf(rest), bytesOf).replace(/[.\s]+$/, '') + rest;
}
