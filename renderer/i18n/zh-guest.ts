import { guest } from '#texts/zh/public/guest.ts';
import { upload } from '#texts/zh/upload.ts';
import { texts as light } from './zh-light.ts';

/** The texts of the upload page for guests, in Chinese. */
export const texts = { ...light, guest, upload };
