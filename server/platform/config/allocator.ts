/**
 * Makes glibc return the memory of pictures to the system. By default it keeps what every thread has freed: after a day's work
 * with photos the service would hold 200 MB of unused memory. Other systems ignore these variables.
 */
const MEMORY_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };

/** Decoding, hashing and reading headers take up to six of Node's threads; by default it has four, for reading and writing files as well. */
const THREADS_ENV = { UV_THREADPOOL_SIZE: '8' };

/** Variables that are read when a process starts. */
export const ALLOCATOR_ENV = { ...MEMORY_ENV, ...THREADS_ENV };

/**
 * Restarts this program in the same process if the variables are missing, since glibc reads them when a process starts.
 * Call it before anything is opened: only the standard streams survive.
 */
export function ensureAllocator(): void {
  if (process.platform !== 'linux' || !process.execve || 'MALLOC_ARENA_MAX' in process.env) return;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...ALLOCATOR_ENV, ...process.env });
}
