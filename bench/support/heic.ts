// A HEIC like a phone's: a grid of tiles of 512 × 512 pixels, with the colours of Display P3.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { colourProfile, heicGrid, tilesOf } from '../../test/helpers/pictures/heic-grid.ts';
import { photo } from './samples.ts';

const SIDE = 512;
/** Different tiles; encoding all of them would take longer than the measurement. */
const DIFFERENT = 12;

/** 12 megapixels, as heif-enc encodes them. @throws with a message if it isn't installed */
export async function phonePicture(folder: string): Promise<Buffer> {
  const [first, ...others] = await Promise.all((await pieces(folder)).map(tilesOf));
  if (!first) throw new Error('There are no tiles.');
  const tiles = { hvcC: first.hvcC, coded: [first, ...others].flatMap(({ coded }) => coded) };
  const [own, ofTiles] = [[colourProfile(await displayP3())], [colourProfile(await displayP3())]];
  return heicGrid(tiles, { columns: 8, rows: 6, side: SIDE, width: 4032, height: 3024, own, ofTiles });
}

async function pieces(folder: string): Promise<Buffer[]> {
  const whole = await (await photo(SIDE * DIFFERENT, SIDE)).png({ compressionLevel: 0 }).toBuffer();
  const encoded: Buffer[] = [];
  for (let index = 0; index < DIFFERENT; index++) {
    const [png, heic] = [join(folder, 'tile.png'), join(folder, 'tile.heic')];
    await sharp(whole)
      .extract({ left: index * SIDE, top: 0, width: SIDE, height: SIDE })
      .toFile(png);
    const { status, stderr } = spawnSync('heif-enc', ['-q', '45', '-p', 'preset=fast', '-o', heic, png], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr || 'heif-enc is missing: apt install libheif-examples');
    encoded.push(readFileSync(heic));
  }
  return encoded;
}

async function displayP3(): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'black' } })
    .withIccProfile('p3')
    .png();
  const { icc } = await sharp(await pixel.toBuffer()).metadata();
  if (!icc) throw new Error('sharp has no such profile.');
  return icc;
}
