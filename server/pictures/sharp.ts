import type Sharp from 'sharp';

/** Loaders for the formats of the interface. HEIC goes through libheif's metadata here and is decoded elsewhere. */
const ALLOWED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
];

/**
 * The one way to sharp. It is loaded on first use, because loading costs more than starting the service.
 * libvips keeps these settings per process, and setting them again is harmless: one thread a picture (several pictures run side by side), no cache of
 * operations (every file is read once, and a cache would keep files open), and no loader beyond those needed.
 */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ALLOWED_LOADERS });
  return sharp;
}
