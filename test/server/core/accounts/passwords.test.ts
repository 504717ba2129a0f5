import { createRequire } from 'node:module';
import type * as argon2 from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { UNMATCHABLE, verifyPassword } from '#server/core/accounts/passwords.ts';

// Unit tests import one with less work by that name.
const { hash }: typeof argon2 = createRequire(import.meta.url)('@node-rs/argon2');

/** What decides how long a comparison takes: algorithm, parameters, and the lengths of salt and hash. */
const costOf = (stored: string) => stored.split('$').map((part, index) => (index < 4 ? part : part.length));

test('the password of an unknown account takes as long to compare as a stored one', async () => {
  expect(costOf(UNMATCHABLE)).toEqual(costOf(await hash('a password')));
  expect(await verifyPassword(null, 'a password')).toBe(false);
});
