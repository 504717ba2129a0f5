import type { Decoding } from '#server/platform/imaging/decoding.ts';

/** Unlimited, for tests that decode one picture at a time. */
export const unbounded: Decoding = Object.assign(<T>(_bytes: number, work: (isAlone?: boolean) => Promise<T>) => work(true), {
  reading: <T>(work: () => Promise<T>) => work(),
});

/** Refuses to decode, for pictures that are rejected before. */
export const forbidden: Decoding = Object.assign(() => Promise.reject(new Error('decoded anyway')), { reading: unbounded.reading });
