import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ElectronPackage, writeElectronPackage } from './electron-package.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OWN = ['scripts', 'node_modules', '.cache', '.git'];

/** The built project as after `npm ci`, in a folder of its own: with a small package in Electron's place, whose program isn't there yet. */
export async function copyProject(bytes?: number): Promise<{ folder: string; electron: ElectronPackage }> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  linkAll(ROOT, folder, OWN);
  copyScripts('scripts', folder);
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  linkAll(join(ROOT, 'node_modules'), modules, ['electron']);
  return { folder, electron: await writeElectronPackage(modules, bytes) };
}

function linkAll(from: string, to: string, except: readonly string[]) {
  for (const name of readdirSync(from)) if (!except.includes(name)) symlinkSync(join(from, name), join(to, name), 'junction');
}

/** The scripts find the project by their own paths. Hard links keep the times by which a build is recognised as current. */
function copyScripts(path: string, to: string) {
  mkdirSync(join(to, path));
  for (const entry of readdirSync(join(ROOT, path), { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) copyScripts(child, to);
    else linkSync(join(ROOT, child), join(to, child));
  }
}
