import { parseConfig, type ServiceConfig } from './config.ts';
import { dataDirOf } from './data-dir.ts';

const NAMES: Record<string, string> = {
  host: 'PIXDOCK_HOST',
  port: 'PIXDOCK_PORT',
  dataDir: 'PIXDOCK_DATA_DIR',
  databaseUrl: 'PIXDOCK_DATABASE_URL',
  baseUrl: 'PIXDOCK_BASE_URL',
  trustProxy: 'PIXDOCK_TRUST_PROXY',
  allowedHosts: 'PIXDOCK_ALLOWED_HOSTS',
  secrets: 'PIXDOCK_SECRETS',
  drainSeconds: 'PIXDOCK_DRAIN_SECONDS',
  logLevel: 'PIXDOCK_LOG_LEVEL',
};

/**
 * The configuration of a headless service from environment variables; an empty variable counts as absent.
 * With `dataDirOf`, this is the only place in the service that reads them.
 * @throws ConfigError with a sentence that names the variable
 */
export function configFromEnv(webRoot: string, env: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const raw: Record<string, unknown> = { webRoot };
  for (const [field, name] of Object.entries(NAMES)) if (env[name]) raw[field] = env[name];
  for (const field of ['trustProxy', 'allowedHosts']) if (raw[field]) raw[field] = splitList(String(raw[field]));
  raw.dataDir = dataDirOf(env);
  return parseConfig(raw, NAMES);
}

function splitList(text: string) {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
