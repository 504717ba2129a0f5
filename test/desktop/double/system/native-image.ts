import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { NativeImage, ResizeOptions } from 'electron';
import { nothing } from '#test/desktop/double/nothing.ts';

type Doubled = 'isEmpty' | 'getSize' | 'resize' | 'setTemplateImage' | 'toDataURL' | 'toJPEG' | 'toPNG';

/** What Electron does at once takes a process here: it decodes a picture, ignores how a camera was held, and encodes it again. */
const ENCODE = `const sharp = require(process.argv[1]);
const [width, height] = JSON.parse(process.argv[3]);
const picture = sharp(require('node:fs').readFileSync(0)).resize(width || undefined, height || undefined, { fit: 'fill' });
picture[process.argv[2]]().toBuffer().then((bytes) => process.stdout.write(bytes));`;
const SHARP = createRequire(import.meta.url).resolve('sharp');
const MAX_BYTES = 1 << 30;

/** An image as its bytes; resizing takes place when it is encoded. */
class DoubleImage implements Pick<NativeImage, Doubled> {
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
    return new DoubleImage(this.bytes, options) as unknown as NativeImage;
  }

  toJPEG() {
    return this.#encoded('jpeg');
  }

  toPNG() {
    return this.#encoded('png');
  }

  toDataURL() {
    return `data:image/png;base64,${this.toPNG().toString('base64')}`;
  }

  #encoded(format: 'jpeg' | 'png'): Buffer {
    if (this.isEmpty()) return this.bytes;
    const { width, height } = this.resizedTo ?? {};
    return execFileSync(process.execPath, ['-e', ENCODE, SHARP, format, JSON.stringify([width, height])], {
      input: this.bytes,
      maxBuffer: MAX_BYTES,
      env: { PATH: process.env.PATH },
    });
  }

  readonly setTemplateImage = nothing;
}

/** Whether Electron decodes it: only PNG and JPEG. */
export function isDecodable(bytes: Buffer): boolean {
  return bytes.length > 4 && (bytes.readUInt32BE(0) === 0x89504e47 || bytes.readUInt16BE(0) === 0xffd8);
}

/** The same as {@link DoubleImage.toPNG}, without waiting for it. Its bytes differ from a PNG that was given. */
export async function pngOf(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp'); // loading it would slow every start down
  return sharp(bytes).png({ compressionLevel: 1 }).toBuffer();
}

/** Anything else is an empty image. */
const decoded = (bytes: Buffer) => new DoubleImage(isDecodable(bytes) ? bytes : Buffer.alloc(0)) as unknown as NativeImage;

export const nativeImage = {
  createEmpty: () => decoded(Buffer.alloc(0)),
  createFromBuffer: (bytes: Buffer) => decoded(bytes),
  createFromPath: (path: string) => decoded(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
} satisfies Pick<typeof Electron.NativeImage, 'createEmpty' | 'createFromBuffer' | 'createFromPath'>;
