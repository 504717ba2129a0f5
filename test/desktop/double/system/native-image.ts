import { existsSync, readFileSync } from 'node:fs';
import type { NativeImage, ResizeOptions } from 'electron';
import { nothing } from '#test/desktop/double/nothing.ts';

type Doubled = 'isEmpty' | 'resize' | 'setTemplateImage' | 'toJPEG';

/** An image as its bytes; resizing is recorded, not carried out. */
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

  resize(options: ResizeOptions) {
    return new DoubleImage(this.bytes, options) as unknown as NativeImage;
  }

  toJPEG() {
    return this.bytes;
  }

  readonly setTemplateImage = nothing;
}

const isImage = (bytes: Buffer) => bytes.readUInt32BE(0) === 0x89504e47 || bytes.readUInt16BE(0) === 0xffd8;
/** As in Electron, anything but PNG and JPEG is an empty image. */
const decoded = (bytes: Buffer) => new DoubleImage(bytes.length > 4 && isImage(bytes) ? bytes : Buffer.alloc(0)) as unknown as NativeImage;

export const nativeImage = {
  createEmpty: () => decoded(Buffer.alloc(0)),
  createFromBuffer: (bytes: Buffer) => decoded(bytes),
  createFromPath: (path: string) => decoded(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
} satisfies Pick<typeof Electron.NativeImage, 'createEmpty' | 'createFromBuffer' | 'createFromPath'>;
