import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { MAX_RATED_CHARACTERS, MIN_PASSWORD_SCORE } from '#api/constants.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';

/**
 * Rejects a new account password that is quickly guessed: a common one, a pattern, or made of the account's own name (decision 074).
 * @param field the field of the request
 * @param about the account's user name and address, which guesses would begin with
 * @throws InvalidRequestError with the problem `weak_password`
 */
export async function requireStrong(password: string, field: string, about: readonly (string | null | undefined)[]): Promise<void> {
  if ((await scoreOf(password, about)) >= MIN_PASSWORD_SCORE) return;
  throw new InvalidRequestError('This password is too easy to guess. Use a few unrelated words, or let a password manager choose one.', {
    field,
    problem: 'weak_password',
  });
}

/** 0 to 4. */
async function scoreOf(password: string, about: readonly (string | null | undefined)[]): Promise<number> {
  const words = about.flatMap((text) => (text ? [text, ...text.split('@')] : []));
  return (await rater()).check(password, ['pixdock', ...words]).score;
}

/** Not kept for long: few services see more than one new account a day. But preparing the word lists takes longer than anything else here. */
let recent: WeakRef<ZxcvbnFactory> | undefined;

async function rater(): Promise<ZxcvbnFactory> {
  const known = recent?.deref();
  if (known) return known;
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const made = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_RATED_CHARACTERS });
  recent = new WeakRef(made);
  return made;
}
