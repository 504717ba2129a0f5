import { copyFileSync, constants as fs, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { NativeImage } from 'electron';
import { fileNameOf } from '#api/file-name.ts';
import { uprightImage } from '#main/base/upright-image.ts';
import type { Item } from '#main/journal/item.ts';

/** Pixels; on most screens two for each of the card's. */
const PICTURE_HEIGHT = 232;
const ICON_HEIGHT = 64;

/** What a card shows, as a file. */
export interface CardFile {
  path: string;
  /** Resolves once it has been looked at: null for formats that Electron can't decode. */
  picture: Promise<{ png: Uint8Array<ArrayBuffer>; icon: NativeImage } | null>;
  /** Another program may read it later: it stays until the next start. */
  keep(): void;
  remove(): void;
}

/**
 * Keeps the files of cards, which the app's own would otherwise lose with the upload: to be dragged, copied and edited. `folder` is the app's own,
 * which it empties.
 */
export function createCardFiles(folder: string): (item: Pick<Item, 'path' | 'name' | 'spooled'>, id: string) => CardFile {
  rmSync(folder, { recursive: true, force: true });
  return ({ path: from, name, spooled }, id) => {
    const path = spooled ? join(folder, id, fileNameOf(name, extname(from).slice(1) || 'png')) : from;
    let isKept = false;
    try {
      if (spooled) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        copyFileSync(from, path, fs.COPYFILE_FICLONE);
      }
    } catch (error) {
      console.error('Couldn’t keep the file of a card:', error);
    }
    return {
      path,
      picture: pictureOf(path),
      keep() {
        isKept = true;
      },
      remove() {
        if (spooled && !isKept) rmSync(dirname(path), { recursive: true, force: true });
      },
    };
  };
}

async function pictureOf(path: string) {
  try {
    const image = await uprightImage(await readFile(path), PICTURE_HEIGHT);
    return image ? { png: new Uint8Array(image.toPNG()), icon: image.resize({ height: ICON_HEIGHT }) } : null;
  } catch (error) {
    console.error('Couldn’t read the file of a card:', error);
    return null;
  }
}
