import { setTimeout as delay } from 'node:timers/promises';
import type { Clipboard } from 'electron';
import { readClipboard } from '../clipboard.ts';
import type { RegionTool } from './region.ts';

/** Milliseconds between checks of the clipboard, and their number: the user has a minute. */
const INTERVAL = 500;
const LOOKS = 120;

interface Options {
  clipboard: Pick<Clipboard, 'read'>;
  /** Opens an address with the program for it. */
  open(address: string): Promise<void>;
  wait?(milliseconds: number): Promise<unknown>;
}

/**
 * Windows' snipping tool, which puts the picture on the clipboard and reports nothing. No new picture there after a minute counts
 * as cancelled.
 */
export function screenClip({ clipboard, open, wait = delay }: Options): RegionTool {
  return {
    name: 'ms-screenclip',
    async capture() {
      const before = (await readClipboard(clipboard)).mark;
      await open('ms-screenclip:');
      for (let look = 0; look < LOOKS; look += 1) {
        await wait(INTERVAL);
        const { mark, picture } = await readClipboard(clipboard);
        if (picture && mark !== before) return { kind: 'bytes', ...picture };
      }
      return undefined;
    },
  };
}
