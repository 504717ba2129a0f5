import { texts as light } from './en-light.ts';
import { upload } from './en-upload.ts';

/** The texts of the upload page for guests, in English. */
export const texts = { ...light, upload };
