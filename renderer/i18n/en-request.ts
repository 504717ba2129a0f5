import { guest } from '#texts/en/public/guest.ts';
import { sending } from '#texts/en/public/sending.ts';
import { upload } from '#texts/en/upload.ts';
import { texts as light } from './en-light.ts';

/** The texts of the page for senders, in English. */
export const texts = { ...light, guest, upload, sending };
