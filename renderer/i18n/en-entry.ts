import { texts as light } from './en-light.ts';
import { twoFactor } from './en-two-factor.ts';

/** The texts of the pages before someone is signed in, in English. */
export const texts = { ...light, twoFactor };
