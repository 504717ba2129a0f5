import { z } from 'zod';
import { asSent } from '#api/contract.ts';

/** The query of `GET /oembed` (oembed.com), which is not below the API's prefix: its responses have no envelope. */
export const oembedQuery = z.object({
  url: asSent(2_000),
  maxwidth: z.coerce.number().int().min(1).optional(),
  maxheight: z.coerce.number().int().min(1).optional(),
  format: z.literal('json').optional(),
});

/** How another site shows a shared picture (`photo`), video or album (`link`). */
export interface Embed {
  version: '1.0';
  type: 'photo' | 'video' | 'link';
  title?: string;
  provider_name: string;
  provider_url: string;
  /** For how many seconds it may be kept. */
  cache_age: number;
  url?: string;
  /** Of a video. */
  html?: string;
  width?: number;
  height?: number;
  thumbnail_url?: string;
  thumbnail_width?: number;
  thumbnail_height?: number;
}
