import { createReaper } from '#server/platform/base/reaper.ts';

/** Longer than the service takes to stop without the app. */
const SECONDS = 3;

/** Kills a process that the app has started when the app is gone; what it has started itself continues. */
export const endWithApp = createReaper(SECONDS);
