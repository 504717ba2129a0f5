import { setTimeout as delay } from 'node:timers/promises';
import type { Clipboard } from 'electron';
import { type Clock, systemClock } from '#main/base/clock.ts';
import { createPictureLook } from '../picture-look.ts';
import type { CaptureTool } from './tool.ts';

/** Between checks of the clipboard, and their number: the user has a minute. */
const INTERVAL_MS = 500;
const LOOKS = 120;
/** Between two readings of what may be the same picture, and their share of the time: the user waits. */
const PAUSE_MS = { min: 500, max: 3_000 };
const COSTS = 3;

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  /** `Window`: the user clicks a window; default: selects a region. */
  mode?: 'Window';
  /** Opens an address with the program for it. */
  open(address: string): Promise<void>;
  wait?(milliseconds: number): Promise<unknown>;
  clock?: Clock;
}

/**
 * Windows' snipping tool, which puts the picture on the clipboard and reports nothing. No new picture there after a minute counts
 * as cancelled.
 */
export function screenClip({ clipboard, mode, open, wait = delay, clock = systemClock }: Options): CaptureTool {
  return {
    name: 'ms-screenclip',
    async capture() {
      const look = createPictureLook({ clipboard, clock, pause: PAUSE_MS, costs: COSTS });
      const before = (await look())?.mark;
      await open(mode ? `ms-screenclip:?clippingMode=${mode}` : 'ms-screenclip:');
      for (let looks = 0; looks < LOOKS; looks += 1) {
        await wait(INTERVAL_MS);
        const content = await look();
        if (content?.picture && content.mark !== before) return { kind: 'bytes', ...content.picture };
      }
      return undefined;
    },
  };
}
