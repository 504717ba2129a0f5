import { extOf, formatsWith, hasTrait } from '#api/formats.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import type { ConvertedExt, ForeignFormat, Probe, WebFormat } from '#server/platform/imaging/types.ts';
import { servedAs } from './formats.ts';

/** How an upload is processed: metadata removed without touching pixels, or encoded again. */
export type Processing = { kind: 'strip' } | { kind: 'encode'; to: ConvertedExt };

type Rules = Pick<PolicyRow, 'convert_to' | 'max_side' | 'heic_to'>;

/** The format that the uploader gets, of the one they asked for: a policy that converts decides alone (decision 149). */
export function chosenFormat(asked: ConvertedExt | undefined, { convert_to }: Pick<Rules, 'convert_to'>): ConvertedExt | undefined {
  return convert_to === null ? asked : undefined;
}

/** Animated formats that we can encode. */
const ANIMATED_EXTS: readonly string[] = formatsWith('written animated').map(extOf);
const HEIC_TO: readonly string[] = formatsWith('policy for HEIC').map(extOf);

/** Formats that browsers don't show are always converted; links never end in `heic`. */
export function processForeign(format: ForeignFormat, { convert_to, heic_to }: Rules, chosen?: ConvertedExt): ConvertedExt {
  if (chosen) return chosen;
  if (!hasTrait(format, 'photo')) return convert_to ?? 'png';
  return convert_to !== null && HEIC_TO.includes(convert_to) ? convert_to : heic_to;
}

/** What a HEIC with transparency becomes instead, as a JPEG has none: undefined where every picture becomes a JPEG. */
export function transparentTo(to: ConvertedExt, { convert_to }: Pick<Rules, 'convert_to'>, chosen?: ConvertedExt): 'webp' | undefined {
  return to === 'jpg' && convert_to !== 'jpg' && !chosen ? 'webp' : undefined;
}

/** The same for JPEGs of a kind that browsers don't show; lossless ones stay so. */
export function processUnshown(coding: string, { convert_to }: Rules, chosen?: ConvertedExt): ConvertedExt {
  return chosen ?? convert_to ?? (coding === 'lossless' ? 'png' : 'jpg');
}

/** An image that can be served as it is keeps its bytes unless the policy asks for another format or a smaller size. */
export function processNative(
  format: WebFormat,
  { width, height, animated }: Pick<Probe, 'width' | 'height' | 'animated'>,
  policy: Rules,
  chosen?: ConvertedExt,
): Processing {
  const own = servedAs(format).ext;
  const to = policy.convert_to ?? chosen ?? own;
  const isTooLarge = policy.max_side > 0 && Math.max(width, height) > policy.max_side;
  if (to === own && !isTooLarge) return { kind: 'strip' };
  // Animations stay animated: one that cannot be encoded is kept as it is.
  if (animated && !(ANIMATED_EXTS.includes(own) && ANIMATED_EXTS.includes(to))) return { kind: 'strip' };
  return { kind: 'encode', to };
}
