/** Bytes that are looked at in front of the end of compressed data. */
export const TAIL_BYTES = 16;
/** Data ends with so many bytes that happen to look like text once in 300 times. */
const FEW = 6;

/**
 * Whether compressed data ends with what looks like text or numbers, in ASCII, UTF-8 or with zeros: someone may have hidden it behind the data. Where the data
 * itself ends is only known by decoding it, which takes too long to do it without a reason.
 * @param least bytes of it
 */
export function endsReadable(data: Buffer, least = FEW): boolean {
  let at = data.length;
  while (at > 0 && data.length - at < least) {
    const length = characterBefore(data, at);
    if (length === 0) return false;
    at -= length;
  }
  return data.length - at >= least;
}

/** The length of the character in front of an offset; 0 if there is none that texts or numbers have. */
function characterBefore(data: Buffer, at: number): number {
  const last = data[at - 1] as number;
  if (last < 0x80) return last === 0 || (last >= 0x20 && last < 0x7f) || last === 0x09 || last === 0x0a || last === 0x0d ? 1 : 0;
  for (let length = 1; length <= 4 && length <= at; length++) {
    const byte = data[at - length] as number;
    if (byte >= 0xc0) return length === (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
