import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { MAX_RATED_CHARACTERS } from '#api/constants.ts';

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_RATED_CHARACTERS });

/** 0 to 4: how hard a password is to guess, knowing the names and addresses of its account. The service rates the same way. */
export function scoreOf(password: string, about: readonly string[]): number {
  return zxcvbn.check(password, ['pixdock', ...about.flatMap((text) => [text, ...text.split('@')])]).score;
}
