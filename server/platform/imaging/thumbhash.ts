import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';

/** Decoding a thumbnail takes less memory than this. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The ThumbHash of a thumbnail as Base64: a placeholder of about 25 bytes.
 * @throws DamagedImageError
 */
export function thumbHashOf(thumbnail: string, decoding: Decoding): Promise<string> {
  return decoding(MAX_BYTES, () => decoders.run('thumbHash', { input: thumbnail }, DEFAULT_IMAGE_LIMITS.decodeSeconds));
}
