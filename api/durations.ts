/** Durations in seconds, as the API counts them, and in milliseconds. */
export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
