/** Milliseconds of CPU time that this process has used since `before`; unlike elapsed time, other programs don't lengthen it. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What a thread has used, in milliseconds of CPU time. */
export interface Used {
  /** Without a chance for anything else to happen in the thread. */
  longest: number;
  total: number;
}

/** Watches the CPU time of this thread between the turns of its event loop, which other programs don't lengthen. Each call of `take` starts over. */
export function watchTasks(): { take(): Used } & Disposable {
  let before = process.threadCpuUsage();
  let used: Used = { longest: 0, total: 0 };
  const sample = () => {
    const now = process.threadCpuUsage();
    const milliseconds = (now.user + now.system - before.user - before.system) / 1_000;
    before = now;
    used = { longest: Math.max(used.longest, milliseconds), total: used.total + milliseconds };
  };
  const timer = setInterval(sample, 1).unref();
  return {
    take() {
      sample();
      const taken = used;
      used = { longest: 0, total: 0 };
      return taken;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
