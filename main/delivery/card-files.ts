import { copyFileSync, existsSync, constants as fs, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type NativeImage, nativeImage } from 'electron';
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
  picture: Promise<Uint8Array<ArrayBuffer> | null>;
  /** What is under the pointer while the file is dragged; undefined once it is gone. */
  icon(): Promise<NativeImage | undefined>;
  /** Another program may read it later: it stays until the next start. */
  keep(): void;
  remove(): void;
}

/**
 * Keeps the files of cards, which the app's own would otherwise lose with the upload: to be dragged, copied and edited. `folder` is the app's own,
 * which it empties; `icon`: that of files without a picture.
 */
export function createCardFiles(folder: string, icon: string): (item: Pick<Item, 'path' | 'name' | 'spooled'>, id: string) => CardFile {
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
    const image = imageOf(path);
    return {
      path,
      picture: image.then((found) => found && new Uint8Array(found.toPNG())),
      async icon() {
        const found = (await image) ?? nativeImage.createFromPath(icon);
        return existsSync(path) ? found.resize({ height: ICON_HEIGHT }) : undefined;
      },
      keep() {
        isKept = true;
      },
      remove() {
        if (spooled && !isKept) rmSync(dirname(path), { recursive: true, force: true });
      },
    };
  };
}

async function imageOf(path: string) {
  try {
    return (await uprightImage(await readFile(path), PICTURE_HEIGHT)) ?? null;
  } catch (error) {
    console.error('Couldn’t read the file of a card:', error);
    return null;
  }
}
