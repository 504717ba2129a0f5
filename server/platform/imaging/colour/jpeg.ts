import type { ImageBytes } from '../bytes.ts';
import { isIcc, JpegProfile, profileSegments } from '../jpeg/profile.ts';
import { headSegments, isFrame, SOI_LENGTH } from '../jpeg/segments.ts';
import type { Colours } from './description.ts';
import { coloursOf } from './icc/colours.ts';

const SPACES = { 1: 'GRAY', 4: 'CMYK' } as const;

/** The colours of a JPEG: those of its profile, or those that all browsers give it. @throws ImageError when its head is damaged */
export async function readJpegColours(file: ImageBytes): Promise<Colours> {
  const parts = new JpegProfile();
  let components = 3;
  for await (const segment of headSegments(file)) {
    if (await isIcc(file, segment)) await parts.take(file, segment);
    else if (isFrame(segment.marker)) components = (await file.at(segment.from + 9, 1)).readUInt8();
  }
  const profile = await parts.read(file);
  const colours = profile ? coloursOf(profile, SPACES[components as keyof typeof SPACES] ?? 'RGB ') : 'srgb';
  return components === 4 && colours !== 'profile' ? 'ink' : colours;
}

/** A copy of a JPEG with another profile. */
export async function withJpegProfile(picture: Uint8Array, file: ImageBytes, profile: Buffer): Promise<Buffer> {
  const pieces: Uint8Array[] = [picture.subarray(0, SOI_LENGTH), ...profileSegments(profile)];
  let end = SOI_LENGTH;
  for await (const segment of headSegments(file)) {
    if (!(await isIcc(file, segment))) pieces.push(picture.subarray(segment.from, segment.to));
    end = segment.to;
  }
  return Buffer.concat([...pieces, picture.subarray(end)]);
}
