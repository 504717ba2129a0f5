import { describe, expect, it } from 'vitest';
import { updateImage } from '#api/images/changes.ts';
import { getImage } from '#api/images/images.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { newImage } from '#test/cli/homes.ts';
import { accept, reset, startScriptedService, uploadedImage } from '#test/cli/scripted-service.ts';
import { startWithToken } from '#test/cli/start.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner, env } = await startWithToken('full');

const upload = (taken_at: string) => uploadImage(service, env.PIXDOCK_TOKEN, newImage(), { taken_at }, 'plan.png');
const dateOf = async (key: string) => (await owner.client.call(getImage, { params: { key } })).taken_at;
const run = (args: string[], more: Record<string, string> = {}) =>
  runBuiltCli(temporaryFolder(), ['date', ...args], { env: { ...env, TZ: 'Europe/Berlin', ...more } });
const undoIn = (stderr: string) => /pixdock date (--undo) ([0-9A-Za-z]{22})\n/.exec(stderr)?.slice(1) ?? [];

describe('pixdock date', () => {
  it('sets the date of keys and links, in the time zone of the computer or another one, and undoes it', async () => {
    const [one, two] = [await upload('2024-06-01T10:00:00Z'), await upload('2024-06-02T10:00:00Z')];
    const set = await run([one.key, two.links.share_url, one.links.url, '--set', '2019-05-14T18:30']);
    expect(set).toMatchObject({ code: 0, stdout: `${one.key} 2019-05-14T16:30:00.000Z\n${two.key} 2019-05-14T16:30:00.000Z\n` });
    expect(await dateOf(two.key)).toBe('2019-05-14T16:30:00.000Z');
    const elsewhere = await run([two.key, '--set', '2019-05-14T18:30:15-03:00']);
    expect(elsewhere.stdout).toBe(`${two.key} 2019-05-14T21:30:15.000Z\n`);

    // The second has been changed again.
    const undone = await run(undoIn(set.stderr));
    expect(undone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('1 picture has the former date again.') });
    expect(undone.stderr).toContain('1 picture was changed or deleted since.');
    expect(await run(undoIn(elsewhere.stderr))).toMatchObject({ code: 0 });
    expect([await dateOf(one.key), await dateOf(two.key)]).toEqual(['2024-06-01T10:00:00.000Z', '2019-05-14T16:30:00.000Z']);
    expect(await run(undoIn(set.stderr))).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to undo') });
  });

  it('takes custom addresses, refuses links to other servers, and prints JSON', async () => {
    const { key } = await upload('2024-06-01T10:00:00Z');
    await owner.client.call(updateImage, { params: { key }, body: { slug: `dated-${key.toLowerCase()}` } });
    const { stdout } = await run([`dated-${key}`, '--set', '2019-05-14T18:30', '--json']);
    expect(JSON.parse(stdout)).toEqual({ key, taken_at: '2019-05-14T16:30:00.000Z' });
    const refused = await run(['https://other.example/i/b7Rk2mQx9LpT.png', '--shift', '1h']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is on another server') });
  });

  it.each([
    ['2h', '2024-06-01T12:00:00.000Z'],
    ['+1d12h', '2024-06-02T22:00:00.000Z'],
    ['-1h30m15s', '2024-06-01T08:29:45.000Z'],
    ['-2w', '2024-05-18T10:00:00.000Z'],
  ])('shifts dates by %s', async (shift, expected) => {
    const { key } = await upload('2024-06-01T10:00:00Z');
    expect(await run([key, '--shift', shift])).toMatchObject({ code: 0, stdout: `${key} ${expected}\n` });
    expect(await dateOf(key)).toBe(expected);
  });

  it('changes nothing if one picture would leave the years of pictures', async () => {
    const { key } = await upload('2024-06-01T10:00:00Z');
    expect(await run([key, '--shift', '99999d'])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('before 1826') });
    expect(await dateOf(key)).toBe('2024-06-01T10:00:00.000Z');
  });

  it('reports pictures of others and those that don’t exist, and changes the rest', async () => {
    const mia = await addUser(service, 'mia');
    const theirs = await uploadImage(service, await mia.token('upload'), newImage(), { taken_at: '2024-06-01T10:00:00Z' });
    const { key } = await upload('2024-06-01T10:00:00Z');
    const { stdout, stderr, code } = await run([theirs.key, key, 'A'.repeat(12), '--shift', '1h']);
    expect({ stdout, code }).toEqual({ stdout: `${key} 2024-06-01T11:00:00.000Z\n`, code: 1 });
    for (const other of [theirs.key, 'A'.repeat(12)]) expect(stderr).toContain(`pixdock: ${other}: you have no such picture`);
    expect((await mia.client.call(getImage, { params: { key: theirs.key } })).taken_at).toBe('2024-06-01T10:00:00.000Z');
  });

  it('repeats what sets a date, but no shift, after a lost connection', async () => {
    const key = 'b7Rk2mQx9LpT';
    const done = accept({ results: [{ key, ok: true }], processed: 1, failed: 0 });
    const list = accept({ items: [uploadedImage(key)], next_cursor: null });
    await using once = await startScriptedService([reset, done, list]);
    const elsewhere = (url: string) => ({ PIXDOCK_BASE_URL: url, PIXDOCK_TOKEN: 'pxd_x' });
    expect(await run([key, '--shift', '1h'], elsewhere(once.url))).toMatchObject({ code: 1, stdout: '' });
    expect(once.seen).toHaveLength(1);
    await using twice = await startScriptedService([reset, done, list]);
    expect(await run([key, '--set', '2019-05-14T18:30'], elsewhere(twice.url))).toMatchObject({ code: 0 });
    expect(twice.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  });

  it('needs a token with full access', async () => {
    const { key } = await upload('2024-06-01T10:00:00Z');
    const refused = await run([key, '--shift', '1h'], { PIXDOCK_TOKEN: await owner.token('upload') });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('only upload') });
    expect((await run([key, '--shift', '1h'], { PIXDOCK_TOKEN: 'pxd_wrong' })).code).toBe(1);
    expect(await dateOf(key)).toBe('2024-06-01T10:00:00.000Z');
  });

  it('uses --base-url, --token, --timeout, --retries and --no-color', async () => {
    const { key } = await upload('2024-06-01T10:00:00Z');
    const where = ['--base-url', service.url, '--token', String(env.PIXDOCK_TOKEN), '--timeout', '30', '--retries', '0', '--no-color'];
    const { code } = await runBuiltCli(temporaryFolder(), ['date', key, '--shift', '1h', ...where]);
    expect([code, await dateOf(key)]).toEqual([0, '2024-06-01T11:00:00.000Z']);
  });
});
