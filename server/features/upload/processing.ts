import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import type { ConvertedExt, Probe, WebFormat } from '#server/platform/imaging/types.ts';
import { type ForeignFormat, servedAs } from './formats.ts';

/** What is done to a picture on the way in: its metadata removed without touching pixels, or encoded anew. */
export type Processing = { kind: 'strip' } | { kind: 'encode'; to: ConvertedExt };

type Rules = Pick<PolicyRow, 'convert_to' | 'max_side' | 'heic_to'>;

/** Formats that hold an animation and can be encoded by us. */
const ANIMATED_EXTS: readonly string[] = ['gif', 'webp'];

/** Pictures that browsers do not show are always encoded; links never end in `heic`. */
export function processForeign(format: ForeignFormat, { convert_to, heic_to }: Rules): ConvertedExt {
  if (format !== 'heic' && format !== 'heif') return convert_to ?? 'png';
  return convert_to === 'jpg' || convert_to === 'webp' ? convert_to : heic_to;
}

/** A picture that can be served as it is keeps its bytes unless the policy wants another format or a smaller size. */
export function processNative(
  format: WebFormat,
  { width, height, animated }: Pick<Probe, 'width' | 'height' | 'animated'>,
  policy: Rules,
): Processing {
  const own = servedAs(format).ext;
  const to = policy.convert_to ?? own;
  const isTooLarge = policy.max_side > 0 && Math.max(width, height) > policy.max_side;
  if (to === own && !isTooLarge) return { kind: 'strip' };
  // An animation stays one: where it cannot be encoded as such, it is left as it is.
  if (animated && !(ANIMATED_EXTS.includes(own) && ANIMATED_EXTS.includes(to))) return { kind: 'strip' };
  return { kind: 'encode', to };
}
