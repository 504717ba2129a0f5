import type { SafeStorage } from 'electron';
import { isHostile } from '#test/desktop/double/traits.ts';

const flip = (bytes: Uint8Array) => Buffer.from(bytes.map((byte) => byte ^ 0xa5));

function requireKeyring() {
  if (isHostile('keyring-refused')) throw new Error('Error while using the keyring: it is locked.');
}

/** Stands for the system's keyring: what it stores is unreadable in a file, and nothing more. */
export const safeStorage = {
  isEncryptionAvailable: () => !isHostile('keyring-refused'),
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString(text: string) {
    requireKeyring();
    return flip(Buffer.from(text));
  },
  decryptString(bytes: Buffer) {
    requireKeyring();
    return flip(bytes).toString();
  },
} satisfies Pick<SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'>;
