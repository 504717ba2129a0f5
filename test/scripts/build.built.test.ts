import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Licences whose unmodified works may be distributed with a program under the MIT licence. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'Python-2.0'],
  // For separate parts that anyone can change, rebuild and replace: libvips and libheif, and resvg.
  ...['LGPL-3.0', 'LGPL-3.0-or-later', 'MPL-2.0'],
]);

/** The licences in an expression that aren't allowed. All alternatives of a choice must be allowed: choices are rare. */
const disallowed = (expression = 'no licence') => expression.split(/ AND | OR /).filter((id) => !ALLOWED.has(id.replace(/[()]/g, '')));

interface Locked {
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

describe("Pixdock's dependencies", () => {
  it('have licences that allow distribution, on every system', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
    const shipped = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
    expect(shipped.length).toBeGreaterThan(100);
    const findings = shipped.map(([path, { license }]) => [path, disallowed(license ?? oldLicence(path))]);
    expect(findings.filter(([, ids]) => ids?.length)).toEqual([]);
  });

  /** The field for licences that predates SPDX identifiers. */
  function oldLicence(path: string): string | undefined {
    const { licenses = [] } = JSON.parse(read(`${path}/package.json`)) as { licenses?: { type: string }[] };
    return licenses.map(({ type }) => type).join(' AND ') || undefined;
  }

  it('are rejected under another licence or none', () => {
    expect(disallowed('MIT AND AGPL-3.0')).toEqual(['AGPL-3.0']);
    expect(disallowed(undefined)).toEqual(['no licence']);
    expect(disallowed('(MIT OR CC0-1.0)')).toEqual([]);
  });
});

describe('the notices of a build', () => {
  let sections: Map<string, string>;

  beforeAll(() => {
    const parts = read('dist/THIRD-PARTY-NOTICES.md')
      .replace(/^~~~text\n.*?^~~~$/gms, 'A text.')
      .split(/^## /m)
      .slice(1);
    sections = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]));
  });

  const names = () => [...sections.keys()].map((title) => title.split(' ')[0]);

  it('name each package with an allowed licence, a source and a text', () => {
    for (const [title, section] of sections) {
      if (title.startsWith('The text of ')) continue;
      expect(disallowed(/^- Licence: (.*)$/m.exec(section)?.[1]), title).toEqual([]);
      expect(section, title).toMatch(/^- Source: <https:\/\/\S+>$/m);
      const [, standard] = /^The text of (.*) is at the end\.$/m.exec(section) ?? [];
      if (standard) expect(sections.get(`The text of ${standard}`), title).toContain('A text.');
      else expect(section, title).toContain('A text.');
    }
  });

  it('name all parts of the service, the app, the command line and the web application, copied or bundled', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const alsoShipped = ['electron', 'react', '@mantine/core', '@tanstack/react-router', 'recharts'];
    // Not bundled until there are watch folders.
    const { chokidar: _, ...used } = dependencies;
    expect(names()).toEqual(expect.arrayContaining([...Object.keys(used), ...alsoShipped]));
  });

  it("are packaged with the app, and their source lists aren't served", () => {
    expect(read('electron-builder.yml')).toContain('from: dist/THIRD-PARTY-NOTICES.md');
    expect(existsSync(join(root, 'dist/renderer/licenses.json'))).toBe(false);
  });

  it("don't name build and test tools", () => {
    for (const name of ['vite', 'vitest', 'typescript', 'picgo', 'oidc-provider']) expect(names()).not.toContain(name);
  });

  it.runIf(process.platform === 'linux')('list the contents of libvips, and include both texts that the LGPL requires', () => {
    const [libvips = ''] = [...sections.values()].filter((section) => section.startsWith('@img/sharp-libvips-linux'));
    expect(libvips).toMatch(/\| librsvg +\| LGPLv3/);
    expect([...sections.keys()]).toEqual(expect.arrayContaining(['The text of LGPL-3.0', 'The text of GPL-3.0', 'The text of MPL-2.0']));
  });
});

const DIST = join(import.meta.dirname, '../../dist');
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+\.js)["']/g;

/** Everything that files load, at once or later, with themselves. The command line's own chunks contain other characters. */
function loadedBy(files: readonly string[]): Set<string> {
  const found = new Set(files);
  for (const file of found)
    for (const [, path = ''] of readFileSync(join(DIST, file), 'latin1').matchAll(IMPORT)) {
      const loaded = join(file, '..', path);
      if (existsSync(join(DIST, loaded))) found.add(loaded);
    }
  return found;
}

it('is what all files that the service loads consist of', () => {
  const files = [...loadedBy(globSync('server/*.js', { cwd: DIST }))];
  expect(files).toContain(join('server', 'bin.js'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => readFileSync(join(DIST, file)).some((byte) => byte > 127))).toEqual([]);
});

it('reads text with the files of a package', { timeout: 120_000 }, async () => {
  const folder = join(temporaryFolder(), 'service');
  execFileSync(process.execPath, [join(root, 'scripts/service-folder.mjs'), folder]);
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'] as const;
  const child = fork(join(folder, 'dist/server/decoder.js'), [], { serialization: 'advanced', stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const piece = new Uint8Array(await readFile(join(root, 'test/fixtures/text/english.png')));
  const options = { languages: ['eng', 'chi_sim'], limits: { seconds: 40, pixels: 1_000_000 } };
  child.send({ kind: 'recognize', options, size: piece.length, piece });
  const [reply] = await once(child, 'message');
  expect(reply).toMatchObject({ result: { lines: [{ text: 'The upload failed after three attempts' }, {}] } });
});
