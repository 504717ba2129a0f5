import type { ColourCodes } from './description.ts';

// Pictures without a box about their colours may have them among their coded data, as browsers and libheif read them.

const UNKNOWN = 2;

/** Reads bits in sequence; zeros after the end, so that a damaged header means nothing. */
class Bits {
  readonly #data: Uint8Array;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--, this.#at++)
      value = value * 2 + (((this.#data[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  flag(): boolean {
    return this.read(1) === 1;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Exp-Golomb: as many zeros as bits follow a one. */
  golomb(): number {
    let zeros = 0;
    while (zeros < 32 && !this.flag()) zeros++;
    return 2 ** zeros - 1 + this.read(zeros);
  }

  skipGolombs(count: number): void {
    for (let left = count; left > 0; left--) this.golomb();
  }
}

const SEQUENCE_HEADER = 1;

/**
 * The colours of an AV1 picture, in the sequence header with which its data begins (AV1 §5.5).
 * @param data the beginning of its data
 */
export function readAv1Codes(data: Uint8Array): ColourCodes | undefined {
  for (let at = 0; at < data.length; ) {
    const head = data[at] ?? 0;
    const start = at + ((head & 4) === 0 ? 1 : 2);
    const { value: length, end } = (head & 2) === 0 ? { value: data.length - start, end: start } : leb128(data, start);
    if (((head >> 3) & 15) === SEQUENCE_HEADER) return readSequence(new Bits(data.subarray(end, end + length)));
    at = end + length;
  }
  return undefined;
}

function leb128(data: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = data[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80 || at - from === 7) return { value, end: at + 1 };
  }
}

function readSequence(bits: Bits): ColourCodes {
  const profile = bits.read(3);
  bits.skip(1);
  const isReduced = bits.flag();
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.read(4) + 1, bits.read(4) + 1];
  bits.skip(widthBits + heightBits);
  if (!isReduced && bits.flag()) bits.skip(7);
  bits.skip(3);
  if (!isReduced) skipTools(bits);
  bits.skip(3);
  const isHigh = bits.flag();
  if (profile === 2 && isHigh) bits.skip(1);
  const isMono = profile !== 1 && bits.flag();
  const [primaries, transfer, matrix] = bits.flag() ? [bits.read(8), bits.read(8), bits.read(8)] : [UNKNOWN, UNKNOWN, UNKNOWN];
  const isRgb = !isMono && primaries === 1 && transfer === 13 && matrix === 0;
  return { primaries, transfer, isFullRange: isRgb || bits.flag() };
}

function skipOperatingPoints(bits: Bits): void {
  const hasTiming = bits.flag();
  let delayBits = 0;
  if (hasTiming) {
    bits.skip(64);
    if (bits.flag()) bits.golomb();
    if (bits.flag()) {
      delayBits = bits.read(5) + 1;
      bits.skip(42);
    }
  }
  const hasDelays = bits.flag();
  for (let left = bits.read(5); left >= 0; left--) {
    bits.skip(12);
    if (bits.read(5) > 7) bits.skip(1);
    if (delayBits > 0 && bits.flag()) bits.skip(2 * delayBits + 1);
    if (hasDelays && bits.flag()) bits.skip(4);
  }
}

function skipTools(bits: Bits): void {
  bits.skip(4);
  const hasOrder = bits.flag();
  if (hasOrder) bits.skip(2);
  const usesScreenTools = bits.flag() || bits.flag();
  if (usesScreenTools && !bits.flag()) bits.skip(1);
  if (hasOrder) bits.skip(3);
}

const SEQUENCE_SET = 33;

/**
 * The colours of an HEVC picture, in the sequence parameter set of its decoder configuration (ITU-T H.265 §7.3.2.2, annex E).
 * @param config the content of the `hvcC` box
 */
export function readHevcCodes(config: Uint8Array): ColourCodes | undefined {
  const uint16 = (at: number) => (config[at] ?? 0) * 256 + (config[at + 1] ?? 0);
  let at = 23;
  for (let arrays = config[22] ?? 0; arrays > 0; arrays--) {
    const type = (config[at] ?? 0) & 63;
    let units = uint16(at + 1);
    for (at += 3; units > 0 && at < config.length; units--) {
      const length = uint16(at);
      // After the two bytes of its header.
      if (type === SEQUENCE_SET) return readSet(new Bits(unescaped(config.subarray(at + 4, at + 2 + length))));
      at += 2 + length;
    }
  }
  return undefined;
}

/** After two zeros, a three only says that they aren't a start code. */
function unescaped(data: Uint8Array): Uint8Array {
  return data.filter((byte, at) => byte !== 3 || data[at - 1] !== 0 || data[at - 2] !== 0);
}

function readSet(bits: Bits): ColourCodes | undefined {
  bits.skip(4);
  const layers = bits.read(3);
  bits.skip(1);
  skipProfiles(bits, layers);
  bits.golomb();
  if (bits.golomb() === 3) bits.skip(1);
  bits.skipGolombs(2);
  if (bits.flag()) bits.skipGolombs(4);
  bits.skipGolombs(2);
  const orderBits = bits.golomb() + 4;
  bits.skipGolombs(3 * (bits.flag() ? layers + 1 : 1));
  bits.skipGolombs(6);
  if (bits.flag() && bits.flag()) skipScalingLists(bits);
  bits.skip(2);
  if (bits.flag()) {
    bits.skip(8);
    bits.skipGolombs(2);
    bits.skip(1);
  }
  if (!skipReferences(bits)) return undefined;
  if (bits.flag()) bits.skip(bits.golomb() * (orderBits + 1));
  bits.skip(2);
  return bits.flag() ? readUsability(bits) : undefined;
}

function skipProfiles(bits: Bits, layers: number): void {
  bits.skip(96);
  if (layers === 0) return;
  const parts = Array.from({ length: 8 }, () => bits.read(2));
  for (const part of parts.slice(0, layers)) bits.skip((part & 2 ? 88 : 0) + (part & 1 ? 8 : 0));
}

function skipScalingLists(bits: Bits): void {
  for (let size = 0; size < 4; size++)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (bits.flag()) bits.skipGolombs(Math.min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0));
      else bits.golomb();
    }
}

const MAX_REFERENCES = 64;

/** Sets of pictures that others refer to. @returns whether they make sense */
function skipReferences(bits: Bits): boolean {
  const sets = bits.golomb();
  if (sets > MAX_REFERENCES) return false;
  let pictures = 0;
  for (let set = 0; set < sets; set++) {
    if (set > 0 && bits.flag()) {
      bits.skip(1);
      bits.golomb();
      let used = 0;
      for (let left = pictures; left >= 0; left--) if (bits.flag() || bits.flag()) used++;
      pictures = used;
    } else {
      pictures = bits.golomb() + bits.golomb();
      if (pictures > MAX_REFERENCES) return false;
      for (let left = pictures; left > 0; left--) {
        bits.golomb();
        bits.skip(1);
      }
    }
  }
  return true;
}

const OWN_ASPECT = 255;

/** Video usability information, up to the colours. */
function readUsability(bits: Bits): ColourCodes | undefined {
  if (bits.flag() && bits.read(8) === OWN_ASPECT) bits.skip(32);
  if (bits.flag()) bits.skip(1);
  if (!bits.flag()) return undefined;
  bits.skip(3);
  const isFullRange = bits.flag();
  const [primaries, transfer] = bits.flag() ? [bits.read(8), bits.read(8)] : [UNKNOWN, UNKNOWN];
  return { primaries, transfer, isFullRange };
}
