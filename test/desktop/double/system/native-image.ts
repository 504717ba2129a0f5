import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { NativeImage as Real, ResizeOptions } from 'electron';
import { nothing } from '#test/desktop/double/nothing.ts';

type Doubled = 'isEmpty' | 'getSize' | 'resize' | 'setTemplateImage' | 'toBitmap' | 'toDataURL' | 'toJPEG' | 'toPNG';

/** What Electron does at once takes a process here: it decodes a picture, ignores how a camera was held, and encodes it again. */
const ENCODE = `const sharp = require(process.argv[1]);
const [width, height] = JSON.parse(process.argv[3]);
const picture = sharp(require('node:fs').readFileSync(0)).resize(width || undefined, height || undefined, { fit: width && height ? 'fill' : 'cover' });
picture.ensureAlpha()[process.argv[2]]().toBuffer().then((bytes) => process.stdout.write(bytes));`;
const SHARP = createRequire(import.meta.url).resolve('sharp');
const MAX_BYTES = 1 << 30;

function run(program: string, given: readonly string[], input: Buffer): Buffer {
  const env = { PATH: process.env.PATH };
  return execFileSync(process.execPath, ['-e', program, SHARP, ...given], { input, maxBuffer: MAX_BYTES, env });
}

/** An image as its bytes; resizing takes place when it is encoded. */
class NativeImage implements Pick<Real, Doubled> {
  readonly bytes: Buffer;
  readonly resizedTo: ResizeOptions | undefined;

  constructor(bytes: Buffer, resizedTo?: ResizeOptions) {
    this.bytes = bytes;
    this.resizedTo = resizedTo;
  }

  isEmpty() {
    return this.bytes.length === 0;
  }

  getSize() {
    if (this.isEmpty()) return { width: 0, height: 0 };
    const bytes = this.toPNG();
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }

  resize(options: ResizeOptions) {
    if (this.isEmpty() || !isPositive(options)) return empty();
    return new NativeImage(this.bytes, options) as unknown as Real;
  }

  toJPEG() {
    return this.#encoded('jpeg');
  }

  toPNG() {
    return this.#encoded('png');
  }

  /** Four bytes a pixel; the order of the colours is the system's. */
  toBitmap() {
    return this.#encoded('raw');
  }

  toDataURL() {
    return `data:image/png;base64,${this.toPNG().toString('base64')}`;
  }

  #encoded(format: 'jpeg' | 'png' | 'raw'): Buffer {
    if (this.isEmpty()) return this.bytes;
    const { width, height } = this.resizedTo ?? {};
    return run(ENCODE, [format, JSON.stringify([width, height])], this.bytes);
  }

  readonly setTemplateImage = nothing;
}

/** A PNG of raw pixels. */
const ENCODE_RAW = `const sharp = require(process.argv[1]);
const [width, height] = JSON.parse(process.argv[2]);
sharp(require('node:fs').readFileSync(0), { raw: { width, height, channels: 4 } }).png().toBuffer().then((bytes) => process.stdout.write(bytes));`;

/** Whether Electron decodes it: only PNG and JPEG. */
export function isDecodable(bytes: Buffer): boolean {
  return bytes.length > 4 && (bytes.readUInt32BE(0) === 0x89504e47 || bytes.readUInt16BE(0) === 0xffd8);
}

/** The same as {@link NativeImage.toPNG}, without waiting for it. Its bytes differ from a PNG that was given. */
export async function pngOf(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp'); // loading it would slow every start down
  return sharp(bytes).png({ compressionLevel: 1 }).toBuffer();
}

/** Anything else is an empty image. */
const decoded = (bytes: Buffer) => new NativeImage(isDecodable(bytes) ? bytes : Buffer.alloc(0)) as unknown as Real;

const empty = () => decoded(Buffer.alloc(0));

/** Whether a size has pixels. A side that isn't given follows the other one. */
const isPositive = ({ width = 1, height = 1 }: ResizeOptions) => width > 0 && height > 0;

function requireBuffer(given: unknown) {
  if (!Buffer.isBuffer(given)) throw new Error('buffer must be a node Buffer');
}

/** A file that can't be read is an empty image. */
function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

export const nativeImage = {
  createEmpty: empty,
  createFromBitmap(input: Buffer, size: { width: number; height: number }) {
    requireBuffer(input);
    if (typeof size?.width !== 'number') throw new Error('width is required');
    if (typeof size.height !== 'number') throw new Error('height is required');
    if (!isPositive(size)) return empty();
    if (input.length !== size.width * size.height * 4) throw new Error('invalid buffer size');
    return decoded(run(ENCODE_RAW, [JSON.stringify([size.width, size.height])], input));
  },
  createFromBuffer(bytes: Buffer) {
    requireBuffer(bytes);
    return decoded(bytes);
  },
  createFromPath: (path: string) => decoded(readOrNothing(path)),
} satisfies Pick<typeof Electron.NativeImage, 'createEmpty' | 'createFromBitmap' | 'createFromBuffer' | 'createFromPath'>;
