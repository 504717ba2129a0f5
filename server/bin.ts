import { ensureAllocator } from '#server/platform/config/allocator.ts';

// Nothing newer may be imported statically: an old Node must get as far as asking for a newer one.
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(
    `Pixdock needs Node ${NEEDED} or newer, and this is ${process.versions.node}. Get a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 2;
} else {
  ensureAllocator();
  // Before everything else is loaded: with the cache, the one large file of the service starts several times faster.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runHeadless } = await import('./headless.ts');
  await runHeadless();
}
