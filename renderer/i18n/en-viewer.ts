import { viewer } from '#texts/en/viewer.ts';

/** The texts of light pages that come with their viewer, in English. */
export const texts = { viewer };
