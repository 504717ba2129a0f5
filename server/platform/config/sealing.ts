import { type CipherKey, createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with AES-256-GCM under a 32-byte key, as base64url. */
export function seal(key: CipherKey, text: string, nonce = randomBytes(NONCE_BYTES)): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts the result of {@link seal}; undefined when it was sealed with another key or changed. */
export function unseal(key: CipherKey, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined; // the tag doesn't match
  }
}

/** Seals short texts of one purpose that clients send back unread. The same text always gives the same result, which clients and caches compare. */
export interface Sealing {
  seal(text: string): string;
  unseal(sealed: string): string | undefined;
}

export function createSealing(secrets: Secrets, purpose: string): Sealing {
  // Preparing the key costs more than the rest.
  const key = createSecretKey(secrets.key(purpose));
  const nonceOf = (text: string) => Buffer.from(secrets.sign(`${purpose} nonce`, text), 'base64url').subarray(0, NONCE_BYTES);
  return { seal: (text) => seal(key, text, nonceOf(text)), unseal: (sealed) => unseal(key, sealed) };
}
