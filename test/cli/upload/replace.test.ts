import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateImage } from '#api/images/changes.ts';
import { listTrash } from '#api/images/trash.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { homeWith, newImage } from '#test/cli/homes.ts';
import { runCli } from '#test/cli/run-cli.ts';
import { accept, startScriptedService } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner, env } = await startWithToken('full');

const upload = async () => uploadImage(service, env.PIXDOCK_TOKEN, newImage(), {}, 'plan.png');
const served = async ({ links }: Uploaded) => (await fetch(links.url)).headers.get('etag');

describe('pixdock replace', () => {
  it('replaces the picture of a key or of any of its links, and prints the same link', async () => {
    const image = await upload();
    const home = await homeWith('a.png', 'b.png', 'c.png');
    const pictures = { 'in/a.png': image.key, 'in/b.png': image.links.url, 'in/c.png': image.links.share_url };
    for (const [file, picture] of Object.entries(pictures)) {
      const before = await served(image);
      const { stdout, stderr, code } = await runCli(home, ['replace', picture, file], { env });
      expect({ stdout, stderr, code }).toEqual({ stdout: `${image.links.url}\n`, stderr: '', code: 0 });
      expect(await served(image)).not.toBe(before);
    }
    const { items } = await owner.client.call(listTrash, { query: {} });
    expect(items.filter(({ version_of }) => version_of === image.key)).toHaveLength(3);
  });

  it('replaces the picture with a custom address', async () => {
    const image = await upload();
    await owner.client.call(updateImage, { params: { key: image.key }, body: { slug: 'floor-plan' } });
    const home = await homeWith('a.png', 'b.png');
    for (const [file, picture] of Object.entries({ 'in/a.png': 'Floor-Plan', 'in/b.png': `${service.linkAddress}/s/floor-plan` })) {
      const { stdout, stderr, code } = await runCli(home, ['replace', picture, file, '--json'], { env });
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(JSON.parse(stdout)).toMatchObject({ key: image.key, reused: false });
    }
  });

  it('refuses a link to another server, and sends it nothing', async () => {
    const image = await upload();
    const home = await homeWith('a.png');
    await using other = await startScriptedService([accept()]);
    const before = await served(image);
    for (const link of [`${other.url}/i/${image.key}.png`, `https://other.example/s/${image.key}`]) {
      const { stdout, stderr, code } = await runCli(home, ['replace', link, 'in/a.png'], { env });
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toBe(
        `pixdock: ${link} is on another server. This command uses ${service.url}, and nothing was sent to ${new URL(link).origin}.\n`,
      );
    }
    expect(other.seen).toEqual([]);
    expect(await served(image)).toBe(before);
  });

  it('reads standard input, and prints what --format or --template asks for', async () => {
    const image = await upload();
    const options = { env, stdin: newImage() };
    const json = await runCli(temporaryFolder(), ['replace', image.key, '-', '--format', 'json'], options);
    expect(JSON.parse(json.stdout)).toMatchObject({ key: image.key, reused: false, name: 'plan.png' });
    const again = await runCli(temporaryFolder(), ['replace', image.key, '-', '--template', '{name}: {key}'], options);
    expect(again).toMatchObject({
      stdout: `plan.png: ${image.key}\n`,
      stderr: 'pixdock: -: identical to the uploaded picture; nothing was replaced.\n',
      code: 0,
    });
  });

  it.runIf(process.platform === 'linux')('copies the link with --copy', async () => {
    const image = await upload();
    const home = await homeWith('a.png');
    await writeFile(join(home, 'xclip'), '#!/bin/sh\ncat > "$HOME/copied"\n');
    await chmod(join(home, 'xclip'), 0o755);
    const clipboard = { PATH: `${home}:/usr/bin:/bin`, DISPLAY: ':0' };
    expect((await runCli(home, ['replace', image.key, 'in/a.png', '--copy'], { env: { ...env, ...clipboard } })).code).toBe(0);
    expect(await readFile(join(home, 'copied'), 'utf8')).toBe(image.links.url);
  });

  it('uses --base-url, --token, --timeout, --retries and --no-color', async () => {
    const image = await upload();
    const home = await homeWith('a.png');
    const where = ['--base-url', service.url, '--token', String(env.PIXDOCK_TOKEN), '--timeout', '30', '--retries', '0', '--no-color'];
    expect(await runCli(home, ['replace', image.key, 'in/a.png', ...where])).toMatchObject({ code: 0, stdout: `${image.links.url}\n` });
  });

  it('reports a picture, a file or a token that doesn’t work, and changes nothing', async () => {
    const image = await upload();
    const home = await homeWith('a.png');
    const before = await served(image);
    const run = (args: string[], token = env.PIXDOCK_TOKEN) =>
      runCli(home, ['replace', ...args], { env: { ...env, PIXDOCK_TOKEN: String(token) } });
    expect(await run(['not a key', 'in/a.png'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('isn’t a picture. Give its key'),
    });
    expect(await run(['no-such-address', 'in/a.png'])).toMatchObject({ code: 1 });
    expect(await run([image.key])).toMatchObject({ code: 2 });
    expect(await run([image.key, 'missing.png'])).toMatchObject({ code: 1, stderr: 'pixdock: missing.png: no such file\n' });
    expect(await run(['a'.repeat(12), 'in/a.png'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no picture to replace') });
    expect(await run([image.key, 'in/a.png'], await owner.token('upload'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only upload'),
    });
    expect(await served(image)).toBe(before);
  });
});
