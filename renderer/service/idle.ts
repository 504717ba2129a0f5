import { useEffect } from 'react';
import { withOthers } from './beside.ts';

/** Milliseconds without a response after which a page counts as idle: its thumbnails are there. */
const QUIET_MS = 5_000;

let idle: Promise<void> | undefined;

/** Resolves once the page has loaded what it shows, even over a slow connection. */
function untilIdle(): Promise<void> {
  idle ??= new Promise((resolve) => {
    const loads = new PerformanceObserver(restart);
    let timer: ReturnType<typeof setTimeout> | undefined;
    function restart() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        loads.disconnect();
        resolve();
      }, QUIET_MS);
    }
    loads.observe({ type: 'resource' });
    restart();
  });
  return idle;
}

/** Loads code that the page will probably need, with its styles and texts, once the page is idle. A failure doesn't matter yet: the first use tries again. */
export function useLoadWhenIdle(get: () => Promise<unknown>): void {
  useEffect(() => {
    let left = false;
    untilIdle()
      .then(() => left || withOthers(get))
      .catch(() => undefined);
    return () => {
      left = true;
    };
  }, [get]);
}
