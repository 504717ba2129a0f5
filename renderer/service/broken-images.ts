import { reconnect, untilReachable } from './connection.ts';

/** Addresses of thumbnails and originals. A previewed image has the original's, too. */
const SERVED = /^\/[it]\//;
/** Attempts to load an image again while the service responds: one that isn't there would fail each time. */
const MAX_RELOADS = 2;

/**
 * Reloads thumbnails and originals that have failed to load, wherever they are on the page: at once if the service responds, as after a
 * quick restart, otherwise when it is back. Browsers never do so themselves. Until then, `data-broken` hides the browser's sign for a broken
 * image (global.css), so that what is below it shows.
 */
export function reloadBrokenImages(): void {
  const reloads = new WeakMap<HTMLImageElement, { src: string; count: number }>();

  async function reload(image: HTMLImageElement, src: string) {
    const known = reloads.get(image);
    const count = known?.src === src ? known.count : 0;
    if (count === MAX_RELOADS) return;
    const online = await reconnect();
    // An outage says nothing about the image.
    if (!online) await untilReachable();
    reloads.set(image, { src, count: online ? count + 1 : count });
    if (image.isConnected && image.getAttribute('src') === src) image.src = src;
  }

  // Errors of images don't bubble, but they can be captured.
  const onError = ({ target }: Event) => {
    const src = target instanceof HTMLImageElement ? target.getAttribute('src') : null;
    if (!src || !SERVED.test(src)) return;
    const image = target as HTMLImageElement;
    image.dataset.broken = '';
    void reload(image, src);
  };
  const onLoad = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) delete target.dataset.broken;
  };
  document.addEventListener('error', onError, true);
  document.addEventListener('load', onLoad, true);
}
