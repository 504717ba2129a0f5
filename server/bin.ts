import { enableCompileCache } from 'node:module';
import { ensureAllocator } from './config/allocator.ts';

ensureAllocator();

// Before everything else is loaded: with the cache, the one large file of the service starts several times faster.
enableCompileCache();
const { runHeadless } = await import('./headless.ts');
await runHeadless();
