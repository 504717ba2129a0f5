import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const VERSION = '45.0.0';
const PROGRAM = '#!/bin/sh\necho "Electron starts with $*"\n';
const PROGRAM_NAMES: Record<string, string> = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** A small npm package in Electron's place, with Electron's own installer, and the archive of its program. */
export interface ElectronPackage {
  /** The package's folder. */
  folder: string;
  /** The archive of its program, a shell script. */
  archive: Buffer;
  /** The archive's name. */
  name: string;
}

/** Writes the package into `modules`, a folder of packages. Its archive is a little larger than `bytes`. */
export async function writeElectronPackage(modules: string, bytes = 40_000): Promise<ElectronPackage> {
  const name = `electron-v${VERSION}-${process.platform}-${process.arch}.zip`;
  const archive = await pack(bytes);
  const folder = join(modules, 'electron');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'electron', version: VERSION }));
  writeFileSync(join(folder, 'checksums.json'), JSON.stringify({ [name]: hash('sha256', archive) }));
  copyFileSync(join(MODULES, 'electron/install.js'), join(folder, 'install.js'));
  return { folder, archive, name };
}

/** Makes installed packages available in another folder of packages. */
export function linkModules(modules: string, names: readonly string[]) {
  mkdirSync(modules, { recursive: true });
  for (const name of names) symlinkSync(join(MODULES, name), join(modules, name), 'junction');
}

function pack(bytes: number): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(PROGRAM), PROGRAM_NAMES[process.platform] ?? 'electron', { mode: 0o100755 });
  zip.addBuffer(Buffer.from(`v${VERSION}`), 'version');
  zip.addBuffer(Buffer.alloc(bytes, 'resources'), 'resources.pak', { compress: false });
  zip.end();
  return buffer(zip.outputStream);
}
