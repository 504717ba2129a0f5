import { zh as first } from './zh-first.ts';
import { zh as later } from './zh-later.ts';

/** 简体中文. */
export const zh = { ...first, ...later };
