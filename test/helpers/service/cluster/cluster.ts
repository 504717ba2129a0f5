import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Parts } from '#server/boot/compose.ts';
import { type Service, startService } from '#server/boot/server.ts';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { freePort } from '#test/helpers/network/free-port.ts';
import { startNginx } from './nginx.ts';

/** Whether services run in pairs behind a load balancer. */
export const inCluster = !!process.env.PIXDOCK_TEST_CLUSTER;

/** The addresses of the services behind an nginx. */
const clusters = new Map<string, string[]>();

/**
 * Two services on one database with their own data folders, behind nginx with the configuration in `deploy/`. It has nginx's address;
 * functions that don't concern all of them are the first one's.
 */
export async function startCluster(config: ServiceConfig, parts: Parts): Promise<Service> {
  const port = config.port || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { dataDir, baseUrl = url, trustProxy } = config;
  const same = { ...config, port: 0, baseUrl, trustProxy: ['127.0.0.1'] };
  const first = await startService(same, parts);
  const secondFolder = join(dataDir, 'second');
  await mkdir(secondFolder, { recursive: true });
  const second = await startService({ ...same, dataDir: secondFolder, secrets: join(dataDir, 'secrets.json') }, parts);
  const nginx = await startNginx(port, [new URL(first.url).host, new URL(second.url).host], trustProxy.length > 0);
  clusters.set(url, [first.url, second.url]);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clusters.delete(url);
    await nginx[Symbol.asyncDispose]();
    await Promise.all([first.stop(), second.stop()]);
  };
  return Object.create(first, { url: { value: url }, stop: { value: () => (stopped ??= stop()) } });
}

/** The services' own addresses. */
export const servicesBehind = (url: string): readonly string[] => clusters.get(url) ?? [];

/** What services keep in memory; the others notice a change within milliseconds (decision 088). */
const KEPT = ['/api/v1/admin/settings', '/api/v1/admin/oidc'];

/** After a request that has changed what services keep in memory, waits until all services behind its address agree. */
export async function settle(url: string, method = 'GET', headers: HeadersInit = {}): Promise<void> {
  const { origin, pathname } = new URL(url);
  const services = servicesBehind(origin);
  if (services.length === 0 || method === 'GET' || !KEPT.includes(pathname)) return;
  const agree = async () => {
    const seen = await Promise.all(services.map(async (service) => (await fetch(service + pathname, { headers })).text()));
    if (new Set(seen).size > 1) throw new Error(`the services still differ in ${pathname}`);
  };
  await vi.waitFor(agree, { interval: 5, timeout: 10_000 });
}
