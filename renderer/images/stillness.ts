const grid = () => document.querySelector('[data-grid]');

/** Whether the pointer is on a grid, where nothing may move under it. Fingers leave no pointer behind. */
export const isPointed = () => window.matchMedia('(hover: hover)').matches && grid()?.matches(':hover') === true;

/** Whether images may be added to the grid: its beginning is in view, and the pointer elsewhere. */
export const mayGrow = () => !isPointed() && (grid()?.getBoundingClientRect().top ?? 0) >= 0;

/** Calls `look` whenever the grid or the pointer may have moved; returns what stops that. */
export function onStir(look: () => void): () => void {
  window.addEventListener('scroll', look, { passive: true });
  document.addEventListener('pointerover', look);
  document.documentElement.addEventListener('pointerleave', look);
  return () => {
    window.removeEventListener('scroll', look);
    document.removeEventListener('pointerover', look);
    document.documentElement.removeEventListener('pointerleave', look);
  };
}

/** Resolves once the pointer isn't on a grid. */
export function untilUnpointed(): Promise<void> {
  return new Promise((resolve) => {
    if (!isPointed()) return resolve();
    const stop = onStir(() => {
      if (isPointed()) return;
      stop();
      resolve();
    });
  });
}
