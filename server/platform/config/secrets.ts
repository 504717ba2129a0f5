import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
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

/**
 * Reads `secrets.json` of a data folder, or creates it (mode 0600) in a new one.
 * @throws ConfigError when the file exists but isn't valid
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const stored = (await ifMissing(readFile(path, 'utf8'), undefined)) ?? (await create(path));
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
  const derived = new Map<string, Buffer>();
  // Deriving costs more than signing, and a list of images signs once per image; there are only a few purposes.
  const key = (purpose: string) => {
    const known = derived.get(purpose) ?? Buffer.from(hkdfSync('sha256', master, 'pixdock', purpose, 32));
    derived.set(purpose, known);
    return known;
  };
  return { key, sign: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest('base64url') };
}

async function create(path: string) {
  const text = `${JSON.stringify({ master: randomBytes(32).toString('base64') })}\n`;
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
