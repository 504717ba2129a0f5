import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseConfig, type ServiceConfig } from './config.ts';

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
 * This is the only place in the service that reads them.
 * @throws ConfigError with a sentence that names the variable
 */
export function configFromEnv(webRoot: string, env: NodeJS.ProcessEnv = process.env): ServiceConfig {
  const raw: Record<string, unknown> = { webRoot };
  for (const [field, name] of Object.entries(NAMES)) if (env[name]) raw[field] = env[name];
  for (const field of ['trustProxy', 'allowedHosts']) if (raw[field]) raw[field] = splitList(String(raw[field]));
  raw.dataDir = resolve(String(raw.dataDir ?? defaultDataDir(env)));
  return parseConfig(raw, NAMES);
}

function splitList(text: string) {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The data folder unless another one is chosen, for the desktop app and for the headless service. */
export function defaultDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Pixdock', 'data');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Pixdock', 'data');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'pixdock');
}
