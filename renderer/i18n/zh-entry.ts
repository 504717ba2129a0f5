import { auth, password } from '#texts/zh/account/auth.ts';
import { twoFactor } from '#texts/zh/account/two-factor.ts';
import { guest } from '#texts/zh/public/guest.ts';
import { phone } from '#texts/zh/public/phone.ts';
import { welcome } from '#texts/zh/public/welcome.ts';
import { texts as light } from './zh-light.ts';

/** The texts of the pages before someone is signed in, in Chinese. */
export const texts = { ...light, auth, password, guest, twoFactor, phone, welcome };
