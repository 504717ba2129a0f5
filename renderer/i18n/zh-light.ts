import { app, auth, common, links, password, viewer } from './zh-basics.ts';
import { errors } from './zh-errors.ts';
import { publicPages } from './zh-public.ts';

/** The texts of the light pages, in Chinese. */
export const texts = { app, common, auth, password, viewer, links, ...publicPages, errors };
