import type { Decoding } from '#server/platform/imaging/decoding.ts';

/** Without a bound, where one picture is worked on at a time. */
export const unbounded: Decoding = (_bytes, work) => work();
