// Takes the place of fpm, which electron-builder would download: `fpm -s dir -t deb|rpm … <source>=<destination>…`. Writes the package's tree, with
// what describes it in `DEBIAN` or `RPM`, beside the package, for checks. With PIXDOCK_BUILD_PACKAGES set, dpkg-deb or rpmbuild make the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildDeb, writeControl } from './fpm-deb.ts';
import { buildRpm, writeSpec } from './fpm-rpm.ts';

const FLAGS_WITHOUT_VALUE = ['--force'];
const FORMATS = { deb: { describe: writeControl, build: buildDeb }, rpm: { describe: writeSpec, build: buildRpm } };

const options = new Map<string, string[]>();
const files: string[] = [];
const given = process.argv.slice(2).flatMap((argument) => /^(--[\w-]+)=(.*)$/s.exec(argument)?.slice(1) ?? [argument]);
for (let index = 0; index < given.length; index += 1) {
  const argument = given[index] ?? '';
  if (FLAGS_WITHOUT_VALUE.includes(argument)) continue;
  if (argument.startsWith('-')) {
    index += 1;
    options.set(argument, [...(options.get(argument) ?? []), given[index] ?? '']);
  } else files.push(argument);
}
const [target] = options.get('--package') ?? [];
const format = FORMATS[options.get('-t')?.[0] as keyof typeof FORMATS];
if (!target || !format) throw new Error('fpm stand-in: --package or a known type is missing.');

const tree = join(dirname(target), `${basename(target)}-tree`);
rmSync(tree, { recursive: true, force: true });
for (const file of files) place(file);
for (const pattern of options.get('--exclude') ?? [])
  for (const path of globSync(pattern, { cwd: tree })) rmSync(join(tree, path), { recursive: true });
format.describe(tree, options);
if (process.env.PIXDOCK_BUILD_PACKAGES) format.build(tree, target);
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
