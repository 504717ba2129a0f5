// Writes dist/THIRD-PARTY-NOTICES.md: the third-party packages in a build, each with its licence and the licence's text.
// The bundler lists what it has bundled; scripts/package/natives.mjs lists what is copied unchanged.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { copiedPackages, modulesFor, nodePackage } from './package/natives.mjs';
import { HOST } from './package/target.mjs';

const LISTS = [
  'dist/licenses.json',
  'dist/renderer/licenses.json',
  'dist/renderer/light-licenses.json',
  'dist/preload/licenses.json',
  'dist/pages/licenses.json',
  'dist/pages/record-licenses.json',
];
/** The bundled packages of the last build: what the bundler's lists say, with each package once. */
const BUNDLED = 'dist/bundled.json';
/** For packages without a licence file. LGPL-3.0 builds upon GPL-3.0, so both must be included. */
const STANDARD_TEXTS = ['MIT', 'MPL-2.0', 'LGPL-3.0', 'GPL-3.0'];

const HEAD = `# Third-party notices

Pixdock is under the MIT licence. The packages below come with it, as their authors publish them, each under its own licence. Where that is
the LGPL or the MPL, the source of the package is at the address given; Pixdock's own, from which it can be built with another version of the
package, is at <https://github.com/pixdock/pixdock>.
`;

/** Gathers the bundler's lists and removes them: the web application's would be served. */
export function gatherBundled() {
  const packages = LISTS.flatMap((list) => JSON.parse(read(list))).map(({ name, version }) => folderOf(name, version));
  writeFileSync(join(root, BUNDLED), JSON.stringify([...new Set(packages)].sort()));
  for (const list of LISTS) rmSync(join(root, list));
}

/** Writes the notices of the last build, as packaged for a target. */
export function writeNotices(target = HOST) {
  write(join(root, 'dist/THIRD-PARTY-NOTICES.md'), [...bundled(), join(root, 'node_modules/electron'), ...copied(target)]);
}

/** Writes the notices of what the last build contains, and of some packages beside it, for a package that has nothing else. */
export function writeBundledNotices(path, beside) {
  write(path, [...bundled(), ...beside.map((name) => join(root, 'node_modules', name))]);
}

const bundled = () => JSON.parse(read(BUNDLED)).map((folder) => join(root, folder));

function write(path, packages) {
  const folders = [...new Set(packages)].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const texts = STANDARD_TEXTS.map((id) => `## The text of ${id}\n\n${fenced(read(`scripts/licenses/${id}.txt`))}`);
  writeFileSync(`${path}.new`, [HEAD, ...folders.map(section), ...texts].join('\n'));
  renameSync(`${path}.new`, path); // a test may be reading it
}

const read = (path) => readFileSync(join(root, path), 'utf8');
const fenced = (text) => `~~~text\n${text.trim()}\n~~~\n`;
const nameOf = (folder) => folder.replace(/^.*node_modules\//, '');
const locked = Object.entries(JSON.parse(read('package-lock.json')).packages);

/** A package's folder: another version may have taken the usual one. */
function folderOf(name, version) {
  const [folder] = locked.find(([path, found]) => path && nameOf(path) === name && found.version === version) ?? [];
  if (!folder) throw new Error(`${name} ${version} was bundled, but is not in package-lock.json.`);
  return folder;
}

/** The folders of the packages that are copied beside the bundles, and of Node. Electron ships Chromium's notices itself. */
function copied(target) {
  const modules = modulesFor(target);
  const node = nodePackage(target);
  return [...Object.keys(copiedPackages(target)), ...(node ? [node] : [])].map((name) => join(modules, name));
}

/** Of a repository's address in any of git's forms. */
const webAddress = (source) => source.replace(/^git@([^:]+):/, 'https://$1/').replace(/^(git\+)?(\w+:\/\/)(git@)?/, 'https://');

function section(folder) {
  const { name, version, license, licenses, author, homepage, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = license ?? licenses?.map(({ type }) => type).join(' AND ');
  const by = (author?.name ?? author)?.replace(/ *[<(].*/, '');
  const source = repository?.url ?? homepage ?? `https://www.npmjs.com/package/${name}`;
  const facts = [`Licence: ${licence}`, by && `By: ${by}`, `Source: <${webAddress(source)}>`];
  const text = fileOf(folder, /^(licen[cs]e|copying)/i);
  const list = facts.filter(Boolean).map((fact) => `- ${fact}\n`);
  return `## ${name} ${version}\n\n${list.join('')}\n${text ? fenced(text) : withoutFile(folder, licence)}`;
}

/** Some packages list what they contain, with the licences, in their README. */
function withoutFile(folder, licence) {
  const [, licensing] = /^## Licensing\n(.*?)(?=^## |(?![\s\S]))/ms.exec(fileOf(folder, /^readme/i) ?? '') ?? [];
  return `${licensing ? `${licensing.trim()}\n\n` : ''}The text of ${licence.replace(/-or-later$/, '')} is at the end.\n`;
}

/** The text of the folder's first file with a matching name. */
function fileOf(folder, pattern) {
  const file = readdirSync(folder).find((entry) => pattern.test(entry));
  return file && readFileSync(join(folder, file), 'utf8');
}
