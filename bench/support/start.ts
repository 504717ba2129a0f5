import type { Server, Workshop } from './programs.ts';
import { startProcess } from './service.ts';

interface Start {
  server: Server;
  /** From starting the process to its first response. */
  seconds: number;
  /** CPU time of the service until then; 0 if the system doesn't report it. */
  cpuSeconds: number;
}

/** Starts the service on a data folder that has been used before. */
export async function timeStart(workshop: Workshop, dist?: string): Promise<Start> {
  const before = performance.now();
  const server = await startProcess(workshop, { pin: false, dist });
  const response = await fetch(`${server.url}/healthz`);
  await response.arrayBuffer();
  return { server, seconds: (performance.now() - before) / 1000, cpuSeconds: server.cpuSeconds() };
}
