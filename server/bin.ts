import { ensureAllocator } from '#server/platform/config/allocator.ts';

// Nothing newer may be imported statically: an old Node must get as far as printing this message.
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  process.stderr.write(
    `Pixdock needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node}. Get a newer version from https://nodejs.org.\n`,
  );
  process.exitCode = 2;
} else {
  ensureAllocator();
  const { keepCompiled } = await import('#server/platform/config/compile-cache.ts');
  keepCompiled();
  const { runHeadless } = await import('./headless.ts');
  await runHeadless();
}
