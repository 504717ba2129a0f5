declare module 'gifenc' {
  type Palette = number[][];
  interface FrameOptions {
    palette: Palette;
    /** Milliseconds. */
    delay: number;
    transparent: boolean;
    transparentIndex: number;
    /** 1: the frame stays while the next one is drawn. */
    dispose: number;
  }
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
    /** What has been written so far, without a copy. */
    bytesView(): Uint8Array<ArrayBuffer>;
  };
  export function quantize(rgba: Uint8ClampedArray, colours: number, options: { format: 'rgb444' | 'rgb565' }): Palette;
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
}
