/**
 * How glibc is to deal with the memory of pictures. By itself it keeps what every thread has freed: after a day's work with photos
 * the service holds 200 MB that nobody uses. Other systems do not know these variables.
 */
export const ALLOCATOR_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };

/**
 * Starts this program anew in the same process where the variables are missing, since they are read when a process begins.
 * To be called before anything is opened: nothing but the standard streams survives.
 */
export function ensureAllocator(): void {
  if (process.platform !== 'linux' || !process.execve || 'MALLOC_ARENA_MAX' in process.env) return;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...process.env, ...ALLOCATOR_ENV });
}
