import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { image } from './images.ts';
import { SECRET } from './private-metadata.ts';

/** The description in the profile below. */
export const PROFILE_NAME = 'Display of Olivia Owner';

export interface ProfileTag {
  readonly name: string;
  readonly data: Buffer;
}

/** Header and tags of a profile that sharp brings along. */
export async function bundledProfile(name: 'p3' | 'srgb' | 'cmyk'): Promise<Buffer> {
  const { icc } = await sharp(await image({ width: 8, height: 8 }).withIccProfile(name).jpeg().toBuffer()).metadata();
  if (!icc) throw new Error(`There is no profile ${name}.`);
  return icc;
}

export function tagsOf(profile: Buffer): ProfileTag[] {
  return Array.from({ length: profile.readUInt32BE(128) }, (_, i) => {
    const entry = 132 + 12 * i;
    const from = profile.readUInt32BE(entry + 4);
    const data = profile.subarray(from, from + profile.readUInt32BE(entry + 8));
    return { name: profile.toString('latin1', entry, entry + 4), data };
  });
}

/** A profile with this header and these tags, one after the other. */
export function profileOf(header: Buffer, tags: readonly ProfileTag[]): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const parts: Buffer[] = [];
  let at = 128 + table.length;
  for (const [i, { name, data }] of tags.entries()) {
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(at, 8 + 12 * i);
    table.writeUInt32BE(data.length, 12 + 12 * i);
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    parts.push(padded);
    at += padded.length;
  }
  const profile = Buffer.concat([header.subarray(0, 128), table, ...parts]);
  profile.writeUInt32BE(profile.length);
  return profile;
}

export function textTag(text: string): Buffer {
  return Buffer.from(`text\0\0\0\0${text}\0`, 'latin1');
}

/** The profile of a calibrated display as macOS writes it, in the colours of P3: names, serial number, date, and tags of Apple's. */
export async function displayProfile(): Promise<Buffer> {
  const p3 = await bundledProfile('p3');
  const header = Buffer.from(p3.subarray(0, 128));
  header.writeUInt8(2, 8);
  for (const at of [4, 40, 48, 52, 80]) header.write('APPL', at, 'latin1');
  header.fill(0xab, 84, 100);
  const name = Buffer.from(PROFILE_NAME);
  const desc = Buffer.concat([Buffer.from('desc\0\0\0\0\0\0\0', 'latin1'), Buffer.of(name.length + 1), name, Buffer.alloc(79)]);
  const colours = tagsOf(p3).filter((tag) => tag.name !== 'desc' && tag.name !== 'cprt');
  const texts = ['cprt', 'dmnd', 'dmdd', 'vcgt', 'ndin', 'mmod', 'aarg', 'Zzzz'].map((tag) => ({ name: tag, data: textTag(SECRET) }));
  return profileOf(header, [{ name: 'desc', data: desc }, ...colours, ...texts]);
}

/** A picture in the colours of that display, with its profile. */
export async function withDisplayProfile(picture: Sharp, format: 'jpeg' | 'png' | 'webp' | 'avif'): Promise<Buffer> {
  const path = join(temporaryFolder(), 'display.icc');
  await writeFile(path, await displayProfile());
  return picture.withIccProfile(path).toFormat(format, { effort: 1 }).toBuffer();
}

/** Inserts the profile into a JPEG. One segment is enough for these. */
export function withJpegProfile(photo: Buffer, profile: Buffer): Buffer {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  head.writeUInt16BE(head.length - 2 + profile.length, 2);
  return Buffer.concat([photo.subarray(0, 2), head, profile, photo.subarray(2)]);
}

/** Adds a profile to a GIF, in front of its first extension or picture. */
export function withGifProfile(file: Buffer, profile: Buffer): Buffer {
  const packed = file.readUInt8(10);
  const at = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  const blocks: Buffer[] = [];
  for (let from = 0; from < profile.length; from += 200) {
    const part = profile.subarray(from, from + 200);
    blocks.push(Buffer.of(part.length), part);
  }
  const head = Buffer.from('!\xff\x0bICCRGBG1012', 'latin1');
  return Buffer.concat([file.subarray(0, at), head, ...blocks, Buffer.of(0), file.subarray(at)]);
}
