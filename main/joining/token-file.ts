import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { parseJson } from '#api/client.ts';
import { isMissing } from '#server/platform/files/missing.ts';

const stored = z.object({ encrypted: z.boolean(), token: z.base64() });

/** The token of the joined host, in a file that only this user can read. */
export interface TokenFile {
  /** Undefined when there is none, or when the system can't decrypt it any more. */
  read(): string | undefined;
  write(token: string): void;
  remove(): void;
  /** Whether the system's keyring protects the stored token. */
  isEncrypted(): boolean;
}

type Storage = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'>;

/**
 * The token is encrypted with the system's keyring where there is one. Elsewhere it is stored as it is, like the command line's:
 * it can only upload and show what is sent to its user, and the page of the joined host says so.
 * @param path absolute path of the file
 */
export function tokenFile(path: string, storage: Storage, platform: NodeJS.Platform = process.platform): TokenFile {
  // Linux without a keyring "encrypts" with a password that is part of Chromium.
  const canEncrypt = () =>
    storage.isEncryptionAvailable() && (platform !== 'linux' || storage.getSelectedStorageBackend() !== 'basic_text');

  function load() {
    try {
      return stored.safeParse(parseJson(readFileSync(path, 'utf8'))).data;
    } catch (error) {
      if (!isMissing(error)) console.error('Couldn’t read the token of the joined host:', error);
      return undefined;
    }
  }

  return {
    read() {
      const found = load();
      if (!found) return undefined;
      const bytes = Buffer.from(found.token, 'base64');
      try {
        return found.encrypted ? storage.decryptString(bytes) : bytes.toString('utf8');
      } catch (error) {
        console.error('Couldn’t decrypt the token of the joined host:', error);
        return undefined;
      }
    },
    write(token) {
      const encrypted = canEncrypt();
      const bytes = encrypted ? storage.encryptString(token) : Buffer.from(token);
      // Replaced, not overwritten: the mode applies to new files only.
      rmSync(path, { force: true });
      writeFileSync(path, JSON.stringify({ encrypted, token: bytes.toString('base64') }), { mode: 0o600, flush: true });
    },
    remove: () => rmSync(path, { force: true }),
    isEncrypted: () => load()?.encrypted ?? false,
  };
}
