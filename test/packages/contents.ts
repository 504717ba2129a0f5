import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { FuseState } from '@electron/fuses/dist/constants.js';
import { expect } from 'playwright/test';

const script = await import('../../scripts/package/binaries.mjs' as string);

/** Every file of machine code below a folder, with the targets it runs on, such as `linux-arm64`. */
export const { binariesIn } = script as { binariesIn(folder: string): { path: string; targets: string[] }[] };

const { EnableCookieEncryption, EnableEmbeddedAsarIntegrityValidation, OnlyLoadAppFromAsar } = FuseV1Options;
const { RunAsNode, EnableNodeOptionsEnvironmentVariable, EnableNodeCliInspectArguments } = FuseV1Options;
const ON = [EnableEmbeddedAsarIntegrityValidation, OnlyLoadAppFromAsar];
const OFF = [RunAsNode, EnableNodeOptionsEnvironmentVariable, EnableNodeCliInspectArguments];

/** Expects the fuses of a release in a program of Electron. `encryptsCookies`: decision 118. */
export async function expectReleaseFuses(program: string, { encryptsCookies }: { encryptsCookies: boolean }) {
  const wire = await getCurrentFuseWire(program);
  const on = encryptsCookies ? [...ON, EnableCookieEncryption] : ON;
  const off = encryptsCookies ? OFF : [...OFF, EnableCookieEncryption];
  expect(on.map((fuse) => wire[fuse])).toEqual(on.map(() => FuseState.ENABLE));
  expect(off.map((fuse) => wire[fuse])).toEqual(off.map(() => FuseState.DISABLE));
}
