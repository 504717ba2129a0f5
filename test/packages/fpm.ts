import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** The folder of a tree that isn't installed. */
const FOLDER = 'RPM';

/** Writes what fpm's options say about an rpm, as a specification for rpmbuild, into the folder `RPM` of its tree. */
function writeSpec(tree: string, options: ReadonlyMap<string, string[]>) {
  const one = (name: string) => options.get(name)?.[0];
  const script = (option: string, section: string) => {
    const source = one(option);
    return source ? [section, readFileSync(source, 'utf8')] : [];
  };
  const defines = (options.get('--rpm-rpmbuild-define') ?? []).map((define) => `%define ${define}`);
  const lines = [
    ...defines,
    // As in fpm's own specifications: the files are packaged as they are.
    '%define debug_package %{nil}',
    '%define __spec_install_post true',
    '%define _binary_payload w0.gzdio',
    `Name: ${one('--name')}`,
    `Version: ${one('--version')}`,
    'Release: 1',
    `Summary: ${one('--rpm-summary')}`,
    `License: ${one('--license')}`,
    `URL: ${one('--url')}`,
    `Vendor: ${one('--vendor')}`,
    `Packager: ${one('--maintainer')}`,
    'AutoReqProv: no',
    ...(options.get('-d') ?? []).map((name) => `Requires: ${name}`),
    ...(options.get('--rpm-tag') ?? []),
    '%description',
    one('--description') ?? '',
    ...script('--after-install', '%post'),
    ...script('--after-remove', '%postun'),
    '%files',
    ...(options.get('--directories') ?? []).flatMap((folder) => ownedFolders(tree, folder)),
    ...pathsIn(tree).map(quoted),
  ];
  mkdirSync(join(tree, FOLDER));
  writeFileSync(join(tree, FOLDER, 'spec'), `${lines.join('\n')}\n`);
}

const quoted = (path: string) => `"/${path}"`;
const entriesIn = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });
const pathsIn = (tree: string) =>
  entriesIn(tree)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)));

/** A folder and all below it, which rpm then removes with the package. */
function ownedFolders(tree: string, folder: string): string[] {
  const below = entriesIn(join(tree, folder)).filter((entry) => entry.isDirectory());
  const paths = [folder.slice(1), ...below.map((entry) => relative(tree, join(entry.parentPath, entry.name)))];
  return paths.map((path) => `%dir ${quoted(path)}`);
}

function buildRpm(tree: string, target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-rpm-'));
  // rpmbuild removes the folder that it packages.
  const root = join(folder, 'root');
  execFileSync('cp', ['-a', '--link', tree, root]);
  rmSync(join(root, FOLDER), { recursive: true });
  const defines = { _topdir: folder, _rpmdir: folder, _rpmfilename: 'built.rpm' };
  const options = Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  execFileSync('rpmbuild', ['-bb', '--quiet', ...options, '--buildroot', root, join(tree, FOLDER, 'spec')], { stdio: 'inherit' });
  copyFileSync(join(folder, 'built.rpm'), target);
  rmSync(folder, { recursive: true });
}

const SCRIPTS = { '--after-install': 'postinst', '--after-remove': 'postrm' };

/** Writes what fpm's options say about a deb into the folder `DEBIAN` of its tree. */
function writeControl(tree: string, options: ReadonlyMap<string, string[]>) {
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

function buildDeb(tree: string, target: string) {
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, target], { stdio: 'inherit' });
}

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
