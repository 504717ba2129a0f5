// Takes the place of fpm, which electron-builder would download: `fpm -s dir -t deb … <source>=<destination>…`. Writes the package's tree with
// its control files beside the package, for checks, and with PIXDOCK_BUILD_DEB set, lets dpkg-deb make the package from it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const FLAGS_WITHOUT_VALUE = ['--force'];
const SCRIPTS = { '--after-install': 'postinst', '--after-remove': 'postrm' };

const options = new Map<string, string[]>();
const files: string[] = [];
const given = process.argv.slice(2);
for (let index = 0; index < given.length; index += 1) {
  const argument = given[index] ?? '';
  if (FLAGS_WITHOUT_VALUE.includes(argument)) continue;
  if (argument.startsWith('-')) {
    index += 1;
    options.set(argument, [...(options.get(argument) ?? []), given[index] ?? '']);
  } else files.push(argument);
}
const one = (name: string) => options.get(name)?.[0];
const target = one('--package');
if (!target) throw new Error('fpm stand-in: --package is missing.');

const tree = join(dirname(target), `${basename(target)}-tree`);
rmSync(tree, { recursive: true, force: true });
for (const file of files) place(file);
writeControl();
if (process.env.PIXDOCK_BUILD_DEB)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, target], { stdio: 'inherit' });
else writeFileSync(target, '');

/** Like fpm: a folder's contents with `/` at its end, else the file, under the destination. */
function place(file: string) {
  const [source = '', destination = ''] = file.split('=');
  const path = join(tree, destination);
  const isFolder = statSync(source).isDirectory();
  mkdirSync(isFolder ? path : dirname(path), { recursive: true });
  if (isFolder) execFileSync('cp', ['-a', '--link', `${source}/.`, path]);
  else cpSync(source, path);
  // electron-builder's temporary files are readable by their owner only; fpm corrects that in the same way.
  if (!isFolder) chmodSync(path, 0o644);
}

function writeControl() {
  const folder = join(tree, 'DEBIAN');
  mkdirSync(folder, { recursive: true });
  const description = one('--description')?.trim().replaceAll('\n', '\n ');
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
    Description: description,
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
