import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { loadSecrets } from '#server/platform/config/secrets.ts';
import { prepareStorage } from '#server/platform/storage/drivers.ts';
import { runOn } from './postgres-server.ts';

/** Makes the run's bucket, with a prefix of its own, the storage of a new service's first policy, if the run has one. */
export async function setBucket({ dataDir, databaseUrl }: ServiceConfig): Promise<void> {
  const access = databaseUrl && inject('bucket');
  if (!access) return;
  const secrets = await loadSecrets(dataDir);
  const config = await prepareStorage({ driver: 's3', config: { ...access, prefix: randomUUID() } }, [], { dataDir, secrets });
  await runOn(databaseUrl, `update policies set driver = 's3', config = $config$${config}$config$ where id = 1`);
}
