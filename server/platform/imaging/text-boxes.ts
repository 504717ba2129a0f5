import type { RecognizedText, Size, TextBox } from './types.ts';

/** Moves the boxes of text onto a picture that is `scale` times as large as the one it was read in, in whole pixels. */
export function scaleText({ lines }: RecognizedText, scale: number, within: Size): RecognizedText {
  if (scale === 1) return { lines };
  const scaled = <T extends { box: TextBox }>(part: T): T => {
    const [x, y, width, height] = part.box;
    const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
    const right = Math.min(within.width, Math.ceil((x + width) * scale));
    const bottom = Math.min(within.height, Math.ceil((y + height) * scale));
    return { ...part, box: [left, top, right - left, bottom - top] };
  };
  return { lines: lines.map((line) => ({ ...scaled(line), words: line.words.map(scaled) })) };
}
