import { z } from 'zod';
import { MAX_EXPIRES_IN } from '#api/constants.ts';

/** An expiry as a period from now. */
export const expiresIn = z.int().min(0).max(MAX_EXPIRES_IN);

/** An expiry as a moment, which a request can name instead of a period. */
export const expiresAt = z.iso.datetime({ offset: true }).meta({
  description: 'The same as an exact time in the future, with a time zone; use one of the two',
  examples: ['2026-12-31T18:00:00+01:00'],
});
