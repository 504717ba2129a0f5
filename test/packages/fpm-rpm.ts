import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The folder of a tree that isn't installed. */
const FOLDER = 'RPM';

/** Writes what fpm's options say about an rpm, as a specification for rpmbuild, into the folder `RPM` of its tree. */
export function writeSpec(tree: string, options: ReadonlyMap<string, string[]>) {
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

export function buildRpm(tree: string, target: string) {
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
