/** Milliseconds of CPU time that this process has used since `before`; unlike elapsed time, other programs don't lengthen it. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
