import { damagedVideo } from '../../errors.ts';

/** A header with no comments, of a program without a name. */
const NO_COMMENTS = Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1');

/**
 * The three headers of Vorbis sound, of which the second one has said who made it, and where.
 * @param headers behind their number less one and the lengths of the first two
 * @throws DamagedImageError
 */
export function withoutComments(headers: Uint8Array): Uint8Array {
  let at = 1;
  const next = () => {
    let length = 0;
    let byte = 255;
    while (byte === 255) {
      byte = headers[at++] ?? 0;
      length += byte;
    }
    return length;
  };
  const [first, second] = [next(), next()];
  const setup = headers.subarray(at + first + second);
  if (headers[0] !== 2 || first === 0 || first > 254 || setup.length === 0) throw damagedVideo();
  return new Uint8Array(Buffer.concat([Buffer.from([2, first, NO_COMMENTS.length]), headers.subarray(at, at + first), NO_COMMENTS, setup]));
}
