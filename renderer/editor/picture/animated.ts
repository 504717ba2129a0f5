/** Whether a file is a picture with several frames, of which an edited one would keep only the first. */
export function isAnimated(bytes: Uint8Array): boolean {
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0, 4) === 'GIF8') return hasTwoFrames(bytes);
  // The flags of the extended header.
  if (text(0, 4) === 'RIFF' && text(12, 4) === 'VP8X') return ((bytes[20] ?? 0) & 0x02) !== 0;
  if (text(1, 3) === 'PNG') return hasAnimationControl(bytes);
  // An image sequence names its brand first.
  return text(4, 8) === 'ftypavis';
}

/** Walks the blocks of a GIF up to the second frame. */
function hasTwoFrames(bytes: Uint8Array): boolean {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterSubBlocks = (from: number) => {
    let at = from;
    while (bytes[at]) at += 1 + (bytes[at] ?? 0);
    return at + 1;
  };
  let at = 13 + tableBytes(bytes[10] ?? 0);
  for (let frames = 0; at < bytes.length; ) {
    if (bytes[at] === 0x21) at = afterSubBlocks(at + 2);
    else if (bytes[at] === 0x2c) {
      frames += 1;
      if (frames === 2) return true;
      at = afterSubBlocks(at + 10 + tableBytes(bytes[at + 9] ?? 0) + 1);
    } else return false;
  }
  return false;
}

/** An APNG has `acTL` before its pixels. */
function hasAnimationControl(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}
