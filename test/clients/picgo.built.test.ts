import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getImage } from '#api/images/images.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const require = createRequire(import.meta.url);
const packageFolder = (name: string) => dirname(require.resolve(`${name}/package.json`));
/** PicList has a core of its own, forked from PicGo's, with the same configuration and plug-ins. */
const PROGRAMS = {
  PicGo: join(dirname(require.resolve('picgo')), '../bin/picgo'),
  PicList: join(dirname(require.resolve('piclist')), '../bin/picgo'),
};
const PLUGINS = ['picgo-plugin-web-uploader', 'picgo-plugin-lankong'];

const { service, owner } = await startFileService();
const token = await owner.token('full');

/** A folder in PicGo's layout, with this project's plug-ins linked in. */
async function picgoFolder(uploader: string, settings: object) {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  for (const plugin of PLUGINS) await symlink(packageFolder(plugin), join(folder, 'node_modules', plugin));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'picgo-plugins', dependencies: Object.fromEntries(PLUGINS.map((name) => [name, '*'])) }),
  );
  const picBed = { current: uploader, uploader, [uploader]: settings };
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ picBed, picgoPlugins: Object.fromEntries(PLUGINS.map((name) => [name, true])) }),
  );
  return folder;
}

const keyOf = (link: string) => /\/i\/(\w{12})\./.exec(link)?.[1] ?? '';

/** Uploads files; returns the printed links, because the program exits with 0 even on failure. */
async function runUpload(program: string, folder: string, ...files: string[]) {
  const args = [program, '-c', join(folder, 'config.json'), 'upload', ...files];
  const { stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder, env: homeEnv(folder) });
  const links = stdout.split('\n').filter((line) => line.startsWith('http'));
  return { links, output: stdout + stderr };
}

const SETTINGS: Record<string, () => object> = {
  'web-uploader': () => ({
    url: `${service.url}/api/v1/upload`,
    paramName: 'file',
    jsonPath: 'data.links.url',
    customHeader: JSON.stringify({ Authorization: `Bearer ${token}` }),
    customBody: '',
  }),
  lankong: () => ({
    lskyProVersion: 'V2',
    server: service.url,
    token: `Bearer ${token}`,
    permission: 1,
    ignoreCertErr: false,
    syncDelete: true,
  }),
};
/** Uploads two files with one run of a program, and one that isn't a picture with another. */
async function tryOut(client: keyof typeof PROGRAMS, uploader: string) {
  const settings = SETTINGS[uploader]?.() ?? {};
  const [folder, broken] = [await picgoFolder(uploader, settings), await picgoFolder(uploader, settings)];
  const names = ['plain.jpg', '截图 été.jpg'];
  const seed = (client + uploader).length * 10;
  const images = await Promise.all(names.map((_, i) => photoJpeg({ seed: seed + i, width: 80, height: 60 })));
  await Promise.all(names.map((name, i) => writeFile(join(folder, name), images[i] as Buffer)));
  await writeFile(join(broken, 'text.jpg'), 'no picture');
  const [success, failure] = await Promise.all([
    runUpload(PROGRAMS[client], folder, ...names.map((name) => join(folder, name))),
    runUpload(PROGRAMS[client], broken, join(broken, 'text.jpg')),
  ]);
  return { client, names, images, success, failure };
}

describe.each(Object.keys(SETTINGS))('PicGo and PicList with %s', (uploader) => {
  it("upload two files, one with a non-Latin name, print working links, and none for a file that isn't a picture", async () => {
    const tries = await Promise.all([tryOut('PicGo', uploader), tryOut('PicList', uploader)]);
    for (const { client, names, images, success, failure } of tries) {
      expect(success.links, `${client}: ${success.output}`).toHaveLength(2);
      expect(failure.links, `${client}: ${failure.output}`).toEqual([]);
      for (const [i, link] of success.links.entries()) {
        const response = await fetch(link);
        expect(response.headers.get('content-type')).toBe('image/jpeg');
        expect(Buffer.from(await response.arrayBuffer()).equals(images[i] as Buffer)).toBe(true);
        const { name, visibility } = await owner.client.call(getImage, { params: { key: keyOf(link) } });
        expect({ client, name, visibility }).toEqual({ client, name: names[i], visibility: 'public' });
      }
    }
  });
});

describe('PicGo with lankong', () => {
  it('deletes its uploads', async () => {
    const folder = await picgoFolder('lankong', SETTINGS.lankong?.() ?? {});
    const image = join(folder, 'short-lived.jpg');
    await writeFile(image, await photoJpeg({ seed: 99 }));
    // PicGo's desktop deletes through the plug-in's `remove` event, as its album page does; so does this test. The plug-in then parses
    // a response that picgo 3.1 has parsed already, and fails: only the effect on the server counts.
    const script = join(folder, 'delete.cjs');
    await writeFile(
      script,
      `const { PicGo } = require(${JSON.stringify(require.resolve('picgo'))});
       const picgo = new PicGo(${JSON.stringify(join(folder, 'config.json'))});
       picgo.upload([${JSON.stringify(image)}]).then(async (output) => {
         console.log('link: ' + output[0].imgUrl + ' ' + (await fetch(output[0].imgUrl)).status);
         await Promise.allSettled(picgo.listeners('remove').map((listener) => listener(output)));
         process.exit();
       });`,
    );
    const { stdout, stderr } = await runProgram(process.execPath, [script], { cwd: folder, env: homeEnv(folder) });
    const [, link = ''] = /^link: (\S+) 200$/m.exec(stdout) ?? [];
    expect(link, stdout + stderr).toMatch(/^http/);
    expect((await fetch(link)).status).toBe(404);
  });
});
