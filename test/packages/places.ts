import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** A system and a processor, in Node's names. */
export interface Target {
  platform: 'linux' | 'darwin' | 'win32';
  arch: string;
}

/** Everything that the tests package. */
export const RELEASE = join(import.meta.dirname, '../../release/stand-in');

/** The folders that play Electron's distribution and the tools for AppImages, and the program that plays fpm. */
export const STAND_INS = { electron: join(RELEASE, 'electron'), fpm: join(RELEASE, 'fpm'), appImageTools: join(RELEASE, 'appimage-tools') };

/** The archive of the package that the double runs, unpacked by its first start. */
export const UNPACKED_APP = join(RELEASE, 'app');

/** The unpacked package of a Linux system, with the stand-in in Electron's place. */
export const unpacked = (arch: string) => join(RELEASE, arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`);

const ARCH_NAMES = { deb: { x64: 'amd64', arm64: 'arm64' }, rpm: { x64: 'x86_64', arm64: 'aarch64' } };
export type Format = keyof typeof ARCH_NAMES;

/** What a format calls a processor. */
export const archName = (format: Format, arch: string) => ARCH_NAMES[format][arch as 'x64' | 'arm64'];

/** What an AppImage contains. */
export const appImageTree = (arch: string) =>
  join(RELEASE, `Pixdock-${manifest.version}-linux-${arch === 'x64' ? 'x86_64' : arch}.AppImage-tree`);

/** The tree of a deb, with its control files in `DEBIAN`, or of an rpm, with its specification in `RPM`. */
export const packageTree = (format: Format, arch: string) =>
  join(RELEASE, `Pixdock-${manifest.version}-linux-${archName(format, arch)}.${format}-tree`);
