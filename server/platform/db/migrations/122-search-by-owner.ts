import { searchByOwner } from '../dialect.ts';

/** The search index keeps the words of each owner apart. The job that maintains it fills it again. */
export const up = searchByOwner;
