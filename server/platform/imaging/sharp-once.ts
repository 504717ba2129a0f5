import sharp from 'sharp';

/** Loaders for the formats of the interface. HEIC goes through libheif's metadata here and is decoded elsewhere. */
const ALLOWED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
];

// One thread a picture (several pictures run side by side), no cache of operations (every file is read once, and a cache would
// keep files open), and no loader beyond those needed. libvips keeps these settings per process; as the body of a module they are
// made once: blocking all loaders again, if only for a moment, refuses the pictures that other threads are just opening.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ALLOWED_LOADERS });

export { sharp };
