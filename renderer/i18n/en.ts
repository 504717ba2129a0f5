import { en as first } from './en-first.ts';
import { en as later } from './en-later.ts';

/** Every text of the web application, in English. */
export const en = { ...first, ...later } as const;
