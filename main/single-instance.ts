import { app } from 'electron';

/** True for the one instance that may run. A second start makes the first show its window, and ends at once. */
export function claimSingleInstance(): boolean {
  const first = app.requestSingleInstanceLock();
  if (!first) app.exit(0);
  return first;
}
