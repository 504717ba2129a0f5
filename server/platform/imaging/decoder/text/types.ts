import type { RecognizedWord } from '../../types.ts';

/** One byte per pixel. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Word extends RecognizedWord {
  /** Tesseract's, from 0 to 100. */
  readonly confidence: number;
}
