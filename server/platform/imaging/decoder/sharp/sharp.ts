import sharp from 'sharp';

/** Loaders for the interface's formats. For HEIC only the metadata is read here; it is decoded elsewhere. */
const ALLOWED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
];

// One thread per image (several images run in parallel), no operation cache (every file is read once, and a cache would keep
// files open), and only the loaders that are needed. libvips keeps these settings per process. They run once, as a module's body:
// blocking all loaders again, even for a moment, would fail images that other threads are opening.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ALLOWED_LOADERS });

export { sharp };
