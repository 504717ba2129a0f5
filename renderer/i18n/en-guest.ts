import { guest } from '#texts/en/public/guest.ts';
import { upload } from '#texts/en/upload.ts';
import { texts as light } from './en-light.ts';

/** The texts of the upload page for guests, in English. */
export const texts = { ...light, guest, upload };
