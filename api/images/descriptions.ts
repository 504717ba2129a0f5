import { z } from 'zod';
import { MAX_ALT_LENGTH, MAX_CAPTION_LENGTH, MAX_TITLE_LENGTH } from '#api/constants.ts';
import { line, prose } from '#api/contract.ts';

/** The texts that describe an image; empty where there is none. */
export const descriptions = z.object({
  title: z.string().meta({ description: 'Shown instead of the name; empty: none' }),
  caption: z.string().meta({ description: 'Shown below the picture; may have several lines; empty: none' }),
  alt: z.string().meta({ description: 'Describes the picture to people who can’t see it; empty: none' }),
});

/** The same texts as clients send them. */
export const newDescriptions = z.object({
  title: line(MAX_TITLE_LENGTH),
  caption: prose(MAX_CAPTION_LENGTH),
  alt: line(MAX_ALT_LENGTH),
});
