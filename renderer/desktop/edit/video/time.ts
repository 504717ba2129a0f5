import type { Frame } from './source.ts';

/** A position in a video to a hundredth of a second: “0:05.20”. */
export function timeText(seconds: number): string {
  const hundredths = Math.max(0, Math.round(seconds * 100));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60, hundredths % 6000];
  return `${hours > 0 ? `${hours}:${pad(minutes)}` : minutes}:${pad(Math.floor(rest / 100))}.${pad(rest % 100)}`;
}

/** The place of the frame that is shown at a time. */
export function frameAt(frames: readonly Frame[], time: number): number {
  let [low, high] = [0, frames.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((frames[middle]?.time ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
