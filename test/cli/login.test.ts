import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { runCli } from './run-cli.ts';
import { accept, startScriptedService } from './scripted-service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('upload');

const configFile = (home: string) => join(home, 'config/pixdock/cli.json');

async function homeWithImage() {
  const home = temporaryFolder();
  await writeFile(join(home, 'cat.jpg'), await photoJpeg({ width: 64, height: 48 }));
  return home;
}

describe('pixdock login', () => {
  it('verifies a piped token and stores it with mode 0600; later commands need no options', async () => {
    const home = await homeWithImage();
    const { stdout, stderr, code } = await runCli(home, ['login', `${service.url}/`], { stdin: `${token}\n` });
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(stderr).toMatch(/^pixdock: The token works \(group .*\)\. Stored in .*cli\.json\.\n$/);
    expect(stderr).not.toContain(token);
    if (process.platform !== 'win32') {
      expect((await stat(configFile(home))).mode & 0o777).toBe(0o600);
      expect((await stat(join(home, 'config/pixdock'))).mode & 0o777).toBe(0o700);
    }
    expect(await runCli(home, ['upload', 'cat.jpg'])).toMatchObject({ stderr: '', code: 0 });
  });

  it("doesn't store a token that the server rejects", async () => {
    const home = temporaryFolder();
    const { stdout, stderr, code } = await runCli(home, ['login', service.url], { stdin: 'pxd_wrong' });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^pixdock: .*\n$/);
    await expect(stat(configFile(home))).rejects.toThrow('ENOENT');
  });

  it('accepts the token as an option, unless it is empty', async () => {
    const home = temporaryFolder();
    expect(await runCli(home, ['login', service.url, '--token', token])).toMatchObject({ code: 0 });
    expect(await runCli(home, ['login', service.url], { stdin: '\n' })).toMatchObject({ stdout: '', code: 2 });
    expect(await runCli(home, ['login'])).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringContaining("missing required argument 'url'"),
    });
  });

  it('never sends the token of one server to another', async () => {
    const home = await homeWithImage();
    await using other = await startScriptedService([accept()]);
    await runCli(home, ['login', service.url], { stdin: token });
    await runCli(home, ['upload', 'cat.jpg', '--base-url', other.url]);
    expect(other.seen).toHaveLength(1);
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('keeps one token per server, and logout removes one of them', async () => {
    const home = await homeWithImage();
    const address = 'http://pics.example.org';
    await runCli(home, ['login', service.url], { stdin: token });
    const stored = JSON.parse(await readFile(configFile(home), 'utf8'));
    await writeFile(configFile(home), JSON.stringify({ ...stored, tokens: { ...stored.tokens, [address]: 'pxd_other' } }));
    const { stdout, stderr, code } = await runCli(home, ['logout']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(stderr).toContain(`Removed the token for ${service.url} from this computer.`);
    expect(JSON.parse(await readFile(configFile(home), 'utf8')).tokens).toEqual({ [address]: 'pxd_other' });
    expect(await runCli(home, ['logout'])).toMatchObject({ code: 1, stderr: `pixdock: No token is stored for ${service.url}.\n` });
  });

  it.runIf(process.platform !== 'win32')('warns if other users can read the stored token', async () => {
    const home = await homeWithImage();
    await runCli(home, ['login', service.url], { stdin: token });
    await chmod(configFile(home), 0o644);
    const { stderr, code } = await runCli(home, ['upload', 'cat.jpg']);
    expect(code).toBe(0);
    expect(stderr).toContain(`pixdock: Other users of this computer can read your token. Run: chmod 600 '${configFile(home)}'\n`);
    expect((await runCli(home, ['upload', 'cat.jpg'], { env: { PIXDOCK_TOKEN: token } })).stderr).not.toContain('chmod');
  });

  it('reports damaged settings', async () => {
    const home = await homeWithImage();
    await runCli(home, ['login', service.url], { stdin: token });
    await writeFile(configFile(home), '{"tokens":');
    const { stdout, stderr, code } = await runCli(home, ['upload', 'cat.jpg']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/cli\.json are damaged\. Delete the file and run `pixdock login` again\.\n$/);
  });

  it('prefers options to the environment, and the environment to the stored settings', async () => {
    const home = await homeWithImage();
    await using stored = await startScriptedService([accept({ group: 'x', storage_used_bytes: 0, storage_quota_bytes: 0 }), accept()]);
    await using named = await startScriptedService([accept()]);
    await using given = await startScriptedService([accept()]);
    await runCli(home, ['login', stored.url], { stdin: 'pxd_stored' });
    const env = { PIXDOCK_BASE_URL: named.url, PIXDOCK_TOKEN: 'pxd_named' };
    await runCli(home, ['upload', 'cat.jpg']);
    await runCli(home, ['upload', 'cat.jpg'], { env });
    await runCli(home, ['upload', 'cat.jpg', '--base-url', given.url, '--token', 'pxd_given'], { env });
    const sent = [stored, named, given].map(({ seen }) => seen.at(-1)?.headers.authorization);
    expect(sent).toEqual(['Bearer pxd_stored', 'Bearer pxd_named', 'Bearer pxd_given']);
  });
});
