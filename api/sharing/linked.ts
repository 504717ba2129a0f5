import type { Image } from '#api/images/images.ts';

/** What links are written from. */
export type Linked = Pick<Image, 'links'> & Partial<Pick<Image, 'max_views' | 'width' | 'height'>>;
