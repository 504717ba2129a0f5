import type { Decoding } from '#server/platform/imaging/decoding.ts';

/** Unlimited, for tests that decode one picture at a time. */
export const unbounded: Decoding = (_bytes, work) => work();
