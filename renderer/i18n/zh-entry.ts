import { texts as light } from './zh-light.ts';
import { twoFactor } from './zh-two-factor.ts';

/** The texts of the pages before someone is signed in, in Chinese. */
export const texts = { ...light, twoFactor };
