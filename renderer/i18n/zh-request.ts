import { guest } from '#texts/zh/public/guest.ts';
import { sending } from '#texts/zh/public/sending.ts';
import { upload } from '#texts/zh/upload.ts';
import { texts as light } from './zh-light.ts';

/** The texts of the page for senders, in Chinese. */
export const texts = { ...light, guest, upload, sending };
