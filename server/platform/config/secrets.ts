import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '#server/platform/files/durable.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { ConfigError } from './config.ts';

const schema = z.object({ master: z.base64() });

/** The keys of this instance, all derived from one secret in `secrets.json`. */
export interface Secrets {
  /** HMAC-SHA-256 of `text` under a key of its own per `purpose`, as base64url. */
  sign(purpose: string, text: string): string;
  /** A 32-byte key for `purpose`, for encryption at rest. */
  key(purpose: string): Buffer;
}

/** A public name of this instance that stays the same when its address changes, and in a restored backup. */
export function instanceId(secrets: Secrets): string {
  return secrets.sign('instance', 'id').slice(0, 22);
}

export interface SecretsOptions {
  /** The content of a `secrets.json` in base64, or the path of one; put into the data folder, where backups find it. */
  given?: string | undefined;
  /** False: a data folder without secrets must be given them. */
  mayCreate?: boolean;
}

/** A name for these secrets that reveals nothing about them. */
export function fingerprintOf(secrets: Secrets): string {
  return secrets.sign('fingerprint', 'secrets').slice(0, 22);
}

/**
 * Reads `secrets.json` of a data folder, or creates it (mode 0600) in a new one.
 * @throws ConfigError when the file exists but isn't valid, or its secrets differ from those given
 */
export async function loadSecrets(dataDir: string, { given, mayCreate = true }: SecretsOptions = {}): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await ifMissing(readFile(path, 'utf8'), undefined);
  const fromSettings = given === undefined ? undefined : await readGiven(given);
  if (kept !== undefined && fromSettings !== undefined && masterOf(kept) !== masterOf(fromSettings))
    throw new ConfigError(`PIXDOCK_SECRETS differs from ${path}. Remove the one that isn’t in use.`);
  if (kept === undefined && fromSettings === undefined && !mayCreate)
    throw new ConfigError(
      'The database belongs to a service with different secrets. Set PIXDOCK_SECRETS to the path or the base64 content of its secrets.json.',
    );
  const stored = kept ?? (await create(path, fromSettings));
  const parsed = schema.safeParse(parseJson(stored, path));
  if (!parsed.success)
    throw new ConfigError(`${path} is damaged: restore it from a backup. Without it, sessions and stored secrets are lost.`);
  return fromMaster(Buffer.from(parsed.data.master, 'base64'));
}

/** Whether a text, such as one from a backup, is a valid `secrets.json`. */
export function isSecretsFile(text: string): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false; // not even JSON
  }
}

function fromMaster(master: Buffer): Secrets {
  const derived = new Map<string, KeyObject>();
  // Deriving costs more than signing, as does preparing the key, and a list of images signs once per image; there are only a few purposes.
  const derive = (purpose: string) => {
    const known = derived.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', master, 'pixdock', purpose, 32)));
    derived.set(purpose, known);
    return known;
  };
  return {
    key: (purpose) => derive(purpose).export(),
    sign: (purpose, text) => createHmac('sha256', derive(purpose)).update(text).digest('base64url'),
  };
}

/** Reads what `PIXDOCK_SECRETS` contains; messages must not repeat it. */
async function readGiven(given: string): Promise<string> {
  const decoded = Buffer.from(given, 'base64').toString('utf8');
  const text = isSecretsFile(decoded) ? decoded : await readFile(given, 'utf8').catch(() => undefined); // reported below
  if (text === undefined || !isSecretsFile(text))
    throw new ConfigError('PIXDOCK_SECRETS is neither the path of a secrets.json nor its content in base64.');
  return text;
}

const masterOf = (text: string) => (isSecretsFile(text) ? schema.parse(JSON.parse(text)).master : undefined);

async function create(path: string, text = `${JSON.stringify({ master: randomBytes(32).toString('base64') })}\n`) {
  await writeDurably(path, text, 0o600);
  return text;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${path} is damaged (${(error as Error).message}): restore it from a backup.`);
  }
}
