import { type ColourDescription, type Colours, describeTag, simplified } from '../description.ts';
import { readTags } from './reduce.ts';
import { isSrgb } from './srgb.ts';

/** The colour spaces of ICC profiles that pictures have. */
export type ProfileSpace = 'RGB ' | 'GRAY' | 'CMYK';

/** The colours of a picture by its ICC profile. @param space that of its numbers; a profile for others says nothing */
export function coloursOf(profile: Buffer, space: ProfileSpace): Colours {
  if (profile.toString('latin1', 16, 20) !== space) return 'srgb';
  const tags = readTags(profile);
  if (!tags || isSrgb(profile)) return 'srgb';
  const codes = tags.find(({ name }) => name === 'cicp')?.data;
  // Its matrix has no meaning for colours in RGB.
  const description =
    codes && describeTag({ primaries: codes.readUInt8(8), transfer: codes.readUInt8(9), isFullRange: codes.readUInt8(11) === 1 });
  return description ? simplified(description) : 'profile';
}

/** The colours of a picture that is decoded without them. Neither: they are sRGB. */
export interface ForeignColours {
  readonly icc?: Buffer;
  readonly description?: ColourDescription;
}

/** The same for a picture with this profile. */
export function foreignColours(profile: Buffer): ForeignColours {
  const colours = coloursOf(profile, 'RGB ');
  if (colours === 'profile') return { icc: profile };
  return typeof colours === 'string' ? {} : { description: colours };
}
