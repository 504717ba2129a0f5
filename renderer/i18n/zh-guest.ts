import { texts as light } from './zh-light.ts';
import { upload } from './zh-upload.ts';

/** The texts of the upload page for guests, in Chinese. */
export const texts = { ...light, upload };
