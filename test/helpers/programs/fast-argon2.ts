import { createRequire } from 'node:module';
import type * as argon2 from '@node-rs/argon2';

// In its place, so that importing it by name would lead back here.
const real: typeof argon2 = createRequire(import.meta.url)('@node-rs/argon2');

/** The real hashes with the least memory and time: unit tests compute hundreds. What a hash costs is in it, so verifying is as fast. */
export const hash = (password: string) => real.hash(password, { memoryCost: 8, timeCost: 1 });
export const { verify } = real;
