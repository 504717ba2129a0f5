/** Calls an action soon after each request, but at most a given number of times a second; the last request is never lost. */
export function atMost(perSecond: number, action: () => void): () => void {
  const pause = 1_000 / perSecond;
  let last = Number.NEGATIVE_INFINITY;
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setTimeout(
      () => {
        planned = false;
        last = performance.now();
        action();
      },
      Math.max(0, last + pause - performance.now()),
    );
  };
}
