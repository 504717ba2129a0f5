// H.264 from two encoders in one track: each has its own parameter sets, which frames name by number. The track's description may list
// several (ISO/IEC 14496-15, 5.3.3.1), so those of the frames that are encoded here get numbers that the others don't use.

/** Types of NAL units (Rec. ITU-T H.264, table 7-1). */
const SLICE = 1;
const IDR_SLICE = 5;
const SPS = 7;
const PPS = 8;

/** A description of a track (AVCDecoderConfigurationRecord). */
interface Description {
  /** Profile, compatible profiles and level. */
  head: Uint8Array;
  lengthSize: number;
  sps: Uint8Array[];
  pps: Uint8Array[];
  /** What follows the parameter sets, of high profiles. */
  rest: Uint8Array;
}

function readDescription(bytes: Uint8Array): Description {
  let at = 6;
  const take = (count: number) =>
    Array.from({ length: count }, () => {
      const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      at += 2 + length;
      return bytes.subarray(at - length, at);
    });
  const sps = take((bytes[5] ?? 0) & 31);
  at += 1;
  const pps = take(bytes[at - 1] ?? 0);
  return { head: bytes.subarray(1, 4), lengthSize: ((bytes[4] ?? 0) & 3) + 1, sps, pps, rest: bytes.subarray(at) };
}

function writeDescription({ head, lengthSize, sps, pps, rest }: Description): Uint8Array<ArrayBuffer> {
  const sets = (units: Uint8Array[]) => units.flatMap((unit) => [unit.length >> 8, unit.length & 255, ...unit]);
  return new Uint8Array([1, ...head, 0xfc | (lengthSize - 1), 0xe0 | sps.length, ...sets(sps), pps.length, ...sets(pps), ...rest]);
}

/** Whether frames may be added to a track with this description: its units have the usual lengths before them. */
export const canBeJoined = (description: Uint8Array): boolean => description[0] === 1 && readDescription(description).lengthSize === 4;

/** The level of a track, which its pictures need at least, in hexadecimal. */
export const levelOf = (description: Uint8Array): string => (description[3] ?? 0).toString(16).padStart(2, '0');

/** Whether frames that follow don't need what came before: not all frames that are called key frames refresh the decoder. */
export const isRefresh = (packet: Uint8Array): boolean => unitsOf(packet).some((unit) => typeOf(unit) === IDR_SLICE);

/** The description of a track with frames of two encoders, and a function that gives the second one's frames their numbers. */
export function joined(
  own: Uint8Array,
  added: Uint8Array,
): { description: Uint8Array<ArrayBuffer>; renumber(packet: Uint8Array): Uint8Array } {
  const [first, second] = [readDescription(own), readDescription(added)];
  // CABAC begins at a whole byte after the slice's header, whose length changes here.
  if (second.lengthSize !== 4 || second.pps.some((unit) => isCabac(rbspOf(unit)))) throw new Error('The frames can’t be joined.');
  const spsShift = free(first.sps.map((unit) => new Bits(rbspOf(unit), 32).ue()));
  const ppsShift = free(first.pps.map((unit) => new Bits(rbspOf(unit), 8).ue()));
  const renumberUnit = (unit: Uint8Array) => {
    const type = typeOf(unit);
    // Before the numbers: the header, and of a sequence its profile and level; of a slice, its first macroblock and its kind.
    if (type === SPS) return shifted(unit, 32, [spsShift]);
    if (type === PPS) return shifted(unit, 8, [ppsShift, spsShift]);
    if (type === SLICE || type === IDR_SLICE) return shifted(unit, 8, [0, 0, ppsShift]);
    return unit;
  };
  const sps = [...first.sps, ...second.sps.map(renumberUnit)];
  const pps = [...first.pps, ...second.pps.map(renumberUnit)];
  return {
    description: writeDescription({ ...first, sps, pps }),
    renumber(packet) {
      const units = unitsOf(packet).map(renumberUnit);
      const result = new Uint8Array(units.reduce((sum, { length }) => sum + 4 + length, 0));
      let at = 0;
      for (const unit of units) {
        new DataView(result.buffer).setUint32(at, unit.length);
        result.set(unit, at + 4);
        at += 4 + unit.length;
      }
      return result;
    },
  };
}

const typeOf = (unit: Uint8Array) => (unit[0] ?? 0) & 31;
const free = (used: readonly number[]) => Math.max(...used) + 1;

function unitsOf(packet: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  for (let at = 0; at + 4 < packet.length; ) {
    const length = view.getUint32(at);
    units.push(packet.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return units;
}

/** Without the bytes that keep the data of a unit from looking like its start (7.4.1). */
function rbspOf(unit: Uint8Array): Uint8Array {
  let zeros = 0;
  return unit.filter((byte) => {
    const isEscape = zeros >= 2 && byte === 3;
    zeros = byte === 0 ? zeros + 1 : 0;
    return !isEscape;
  });
}

function escaped(bytes: readonly number[]): Uint8Array {
  const result: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      result.push(3);
      zeros = 0;
    }
    result.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return new Uint8Array(result);
}

const isCabac = (pps: Uint8Array) => {
  const bits = new Bits(pps, 8);
  bits.ue();
  bits.ue();
  return bits.bit() === 1;
};

/** A unit with numbers added to the exponential Golomb codes that follow its first bits. What comes after them moves by as many bits as they grow. */
function shifted(unit: Uint8Array, start: number, add: readonly number[]): Uint8Array {
  const source = rbspOf(unit);
  const bits = new Bits(source, start);
  const result = new BitWriter();
  for (let at = 0; at < start; at++) result.push(((source[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
  for (const count of add) result.ue(bits.ue() + count);
  // The last one is the stop bit; what follows it fills the last byte.
  let end = source.length * 8;
  while (end > 0 && (((source[(end - 1) >> 3] ?? 0) >> (7 - ((end - 1) & 7))) & 1) === 0) end--;
  while (bits.at < end) result.push(bits.bit());
  return escaped(result.bytes());
}

class Bits {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  bit(): number {
    const bit = ((this.#bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1;
    this.at++;
    return bit;
  }

  /** An exponential Golomb code (9.1). */
  ue(): number {
    let zeros = 0;
    while (this.bit() === 0 && zeros < 32) zeros++;
    let value = 1;
    for (let left = zeros; left > 0; left--) value = value * 2 + this.bit();
    return value - 1;
  }
}

class BitWriter {
  readonly #bytes: number[] = [];
  #count = 0;

  push(bit: number) {
    if (this.#count % 8 === 0) this.#bytes.push(0);
    this.#bytes[this.#bytes.length - 1] = (this.#bytes.at(-1) ?? 0) | (bit << (7 - (this.#count % 8)));
    this.#count++;
  }

  ue(value: number) {
    const digits = (value + 1).toString(2);
    for (let zeros = 1; zeros < digits.length; zeros++) this.push(0);
    for (const digit of digits) this.push(Number(digit));
  }

  bytes = () => this.#bytes;
}
