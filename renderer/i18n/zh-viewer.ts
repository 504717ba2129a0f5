import { viewer } from '#texts/zh/viewer.ts';

/** The texts of light pages that come with their viewer, in Chinese. */
export const texts = { viewer };
