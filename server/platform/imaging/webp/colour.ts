import type { ImageBytes } from '#server/platform/imaging/bytes.ts';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;

/** A copy of a WebP with another profile than it has. */
export async function withWebpProfile(picture: Uint8Array, file: ImageBytes, profile: Buffer): Promise<Buffer> {
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= file.size; ) {
    const head = await file.at(at, CHUNK_HEADER);
    const length = head.readUInt32LE(4);
    const next = at + CHUNK_HEADER + length + (length % 2);
    if (head.toString('latin1', 0, 4) === 'ICCP') {
      const chunk = Buffer.alloc(CHUNK_HEADER + profile.length);
      chunk.write('ICCP', 'latin1');
      chunk.writeUInt32LE(profile.length, 4);
      chunk.set(profile, CHUNK_HEADER);
      const copy = Buffer.concat([picture.subarray(0, at), chunk, picture.subarray(next)]);
      copy.writeUInt32LE(copy.length - CHUNK_HEADER, 4);
      return copy;
    }
    at = next;
  }
  throw new TypeError('The WebP has no profile.');
}
