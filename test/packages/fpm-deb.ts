import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPTS = { '--after-install': 'postinst', '--after-remove': 'postrm' };

/** Writes what fpm's options say about a deb into the folder `DEBIAN` of its tree. */
export function writeControl(tree: string, options: ReadonlyMap<string, string[]>) {
  const folder = join(tree, 'DEBIAN');
  mkdirSync(folder, { recursive: true });
  const one = (name: string) => options.get(name)?.[0];
  const fields = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    Section: one('--category') ?? 'default',
    Priority: one('--deb-priority'),
    Homepage: one('--url'),
    Depends: options.get('-d')?.join(', '),
    Recommends: options.get('--deb-recommends')?.join(', '),
    Description: one('--description')?.trim().replaceAll('\n', '\n '),
  };
  const lines = Object.entries(fields).flatMap(([name, value]) => (value ? [`${name}: ${value}\n`] : []));
  writeFileSync(join(folder, 'control'), lines.join(''));
  for (const [option, name] of Object.entries(SCRIPTS)) {
    const source = one(option);
    if (!source) continue;
    copyFileSync(source, join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

export function buildDeb(tree: string, target: string) {
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, target], { stdio: 'inherit' });
}
