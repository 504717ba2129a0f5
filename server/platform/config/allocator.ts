/**
 * Makes glibc return the memory of pictures to the system. By default it keeps what every thread has freed: after a day's work
 * with photos the service would hold 200 MB of unused memory. Other systems ignore these variables.
 */
export const ALLOCATOR_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };

/**
 * V8 starts to mark the whole heap as soon as what is left until its limit is less than its space for young objects, which is 16 MB by default. In a heap
 * of 27 MB with a limit of 51 MB, that was after every other large upload (decision 155).
 */
export const HEAP_OPTIONS = ['--max-semi-space-size=2', '--heap-growing-percent=200'];

/**
 * Restarts this program in the same process if the variables are missing, since glibc reads them when a process starts, and V8 its options.
 * Call it before anything is opened: only the standard streams survive.
 */
export function ensureAllocator(): void {
  if (process.platform !== 'linux' || !process.execve || 'MALLOC_ARENA_MAX' in process.env) return;
  const command = [process.execPath, ...HEAP_OPTIONS, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...ALLOCATOR_ENV, ...process.env });
}

/** The part of the environment that decoders get: temporary files and the system's own. Everything else may be a secret. */
const OF_DECODERS = ['TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'NODE_COMPILE_CACHE'];

/** The environment of decoder processes. They have one picture at a time, so their threads can share an arena, which keeps less. */
export function decoderEnv(source = process.env, platform = process.platform): NodeJS.ProcessEnv {
  // Windows ignores the case of names, and programs such as Git Bash change it.
  const same = (name: string) => (platform === 'win32' ? name.toLowerCase() : name);
  const kept = new Set(OF_DECODERS.map(same));
  const inherited = Object.entries(source).filter(([name]) => kept.has(same(name)));
  return { ...Object.fromEntries(inherited), ...ALLOCATOR_ENV, MALLOC_ARENA_MAX: '1' };
}
