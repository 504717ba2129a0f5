import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '#api/client.ts';
import { upload } from '#api/images/upload.ts';
import { launchOnNode } from '#main/service/server-launch.ts';
import type { FromService } from '#main/service/server-messages.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const root = join(import.meta.dirname, '../..');

/** The folder as packaged, outside the project's node_modules. */
function packaged() {
  const folder = temporaryFolder();
  const service = join(folder, 'service');
  execFileSync(process.execPath, [join(root, 'scripts/service-folder.mjs'), service]);
  return { folder, service };
}

/** Launches the service from its packaged folder and signs the owner in. */
async function runFrom(service: string, node: string, dataDir: string) {
  const child = launchOnNode({
    node,
    entry: join(service, 'dist/server/child.js'),
    follow: (output) => output?.pipe(process.stderr),
    env: process.env,
  })();
  onTestFinished(() => child.kill());
  const messages: FromService[] = [];
  child.onMessage((message) => messages.push(message));
  child.onExit((detail) => messages.push({ type: 'failed', problem: { code: 'ended', detail } }));
  const webRoot = join(service, 'dist/renderer');
  child.send({
    type: 'start',
    config: { host: '127.0.0.1', port: 0, dataDir, trustProxy: [], allowedHosts: [], webRoot, logLevel: 'silent' },
  });
  await expect.poll(() => messages, { timeout: 15_000 }).toHaveLength(1);
  child.send({ type: 'open-session', id: 1, username: 'ada' });
  await expect.poll(() => messages, { timeout: 15_000 }).toHaveLength(2);
  const [ready, session] = messages;
  if (ready?.type !== 'ready' || session?.type !== 'session') throw new Error(JSON.stringify(messages));
  return { url: ready.url, cookie: `${session.cookie.name}=${session.cookie.value}` };
}

test.skipIf(process.platform === 'win32')('packages the command line as an executable that works through a link on the path', () => {
  const { folder, service } = packaged();
  mkdirSync(join(folder, 'node'));
  cpSync(process.execPath, join(folder, 'node/node'));
  symlinkSync(join(service, 'pixdock'), join(folder, 'pixdock'));
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  expect(execFileSync(join(folder, 'pixdock'), ['--version'], { env, encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  const { status, stderr } = spawnSync(join(folder, 'pixdock'), ['upload', '--clipboard'], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'pixdock: The Pixdock app isn’t running. Start it and try again.\n' });
});

test("runs the packaged service on its own, outside the project's node_modules", async () => {
  const { folder, service } = packaged();
  const node = join(folder, 'node');
  cpSync(process.execPath, node);
  const { url, cookie } = await runFrom(service, node, join(folder, 'data'));
  const image = await sharp({ create: { width: 500, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(image)]), 'teal.png');
  const { links } = await createClient({ baseUrl: url }).send(upload, form, { headers: { cookie } });
  const thumbnail = await sharp(await (await fetch(links.thumbnail_url)).arrayBuffer()).metadata();
  expect(thumbnail).toMatchObject({ format: 'jpeg', width: 400, height: 240 });
  expect(await (await fetch(url)).text()).toContain('<div id="root">');
});
