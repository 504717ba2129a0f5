import { app, auth, common, links, password, viewer } from './en-basics.ts';
import { errors } from './en-errors.ts';
import { publicPages } from './en-public.ts';

/** The texts of the light pages, in English. */
export const texts = { app, common, auth, password, viewer, links, ...publicPages, errors };
