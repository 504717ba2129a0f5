import type { SafeStorage } from 'electron';
import { isStarting, requireReady } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';

const flip = (bytes: Uint8Array) => Buffer.from(bytes.map((byte) => byte ^ 0xa5));
/** Chromium's mark of what the keyring's key has encrypted. */
const MARK = 'v11';

function requireKeyring() {
  requireReady('safeStorage cannot be used before app is ready');
  if (isHostile('keyring-refused')) throw new Error('Error while using the keyring: it is locked.');
}

/** Stands for the system's keyring: what it stores is unreadable in a file, and nothing more. */
export const safeStorage = {
  isEncryptionAvailable: () => !isStarting() && !isHostile('keyring-refused'),
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString(text: string) {
    requireKeyring();
    return Buffer.concat([Buffer.from(MARK), flip(Buffer.from(text))]);
  },
  decryptString(bytes: Buffer) {
    requireKeyring();
    if (!Buffer.isBuffer(bytes)) throw new Error('Expected the first argument of decryptString() to be a buffer');
    if (bytes.toString('latin1', 0, MARK.length) !== MARK)
      throw new Error(
        'Error while decrypting the ciphertext provided to safeStorage.decryptString. Ciphertext does not appear to be encrypted.',
      );
    return flip(bytes.subarray(MARK.length)).toString();
  },
} satisfies Pick<SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'>;
