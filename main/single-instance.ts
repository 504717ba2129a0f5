import { app } from 'electron';

/** True for the only instance. A second start makes the first one show its window, and exits. */
export function claimSingleInstance(): boolean {
  const first = app.requestSingleInstanceLock();
  if (!first) app.exit(0);
  return first;
}
