import { auth, password } from '#texts/en/account/auth.ts';
import { twoFactor } from '#texts/en/account/two-factor.ts';
import { guest } from '#texts/en/public/guest.ts';
import { phone } from '#texts/en/public/phone.ts';
import { welcome } from '#texts/en/public/welcome.ts';
import { texts as light } from './en-light.ts';

/** The texts of the pages before someone is signed in, in English. */
export const texts = { ...light, auth, password, guest, twoFactor, phone, welcome };
