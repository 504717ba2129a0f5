import { describe, expect, it } from 'vitest';
import { changeGroup, createGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser } from '#api/admin/users.ts';
import { updateImage } from '#api/images/changes.ts';
import { listSent } from '#api/sent.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { newImage } from './homes.ts';
import { runCli } from './run-cli.ts';
import { accept, startScriptedService } from './scripted-service.ts';
import { startWithToken } from './start.ts';

const { service, owner, env } = await startWithToken('full');
const [bea, cora, vera] = [await addUser(service, 'bea'), await addUser(service, 'cora'), await addUser(service, 'vera')];

const upload = () => uploadImage(service, env.PIXDOCK_TOKEN, newImage(), { visibility: 'private' }, 'plan.png');
const run = (args: string[], as: Record<string, string> = env) => runCli(temporaryFolder(), ['send', ...args], { env: as });
const received = async (user: typeof bea) =>
  (await user.client.call(listSent, { query: { box: 'in' } })).items.map(({ message, items }) => [message, ...items.map(({ key }) => key)]);

describe('pixdock send', () => {
  it('sends pictures by key, custom address and link, each once, to several users, and takes them back', async () => {
    const [one, two, three] = [await upload(), await upload(), await upload()];
    await owner.client.call(updateImage, { params: { key: two.key }, body: { slug: 'the-plan' } });
    const { stdout, stderr, code } = await run([
      ...[one.key, 'the-plan', three.links.url, one.links.share_url],
      ...['--to', 'bea', '--to', 'CORA', '--message', 'Look', '--timeout', '30', '--retries', '0'],
    ]);
    expect([stdout, code]).toEqual([expect.stringMatching(/^[0-9A-Za-z]{22}\n$/), 0]);
    const id = stdout.trim();
    expect(stderr).toBe(`pixdock: Sent 3 pictures to bea, cora. To take them back: pixdock send --undo ${id}\n`);
    for (const user of [bea, cora]) expect(await received(user)).toEqual([['Look', one.key, two.key, three.key]]);
    expect(await run(['--undo', id])).toMatchObject({ stdout: '', stderr: 'pixdock: Taken back from everyone.\n', code: 0 });
    expect(await received(bea)).toEqual([]);
    expect(await run(['--undo', id])).toMatchObject({ stdout: '', code: 1, stderr: expect.stringContaining('no longer here') });
  });

  it('sends to a listed group by its name, and prints JSON', async () => {
    const { key } = await upload();
    const { id } = await owner.client.call(createGroup, { body: { name: 'Writers' } });
    await owner.client.call(changeUser, { params: { id: vera.id }, body: { group_id: id } });
    expect(await run([key, '--to-group', 'Writers'])).toMatchObject({
      code: 1,
      stderr: 'pixdock: There’s no group "Writers". An administrator has listed none.\n',
    });
    await owner.client.call(changeGroup, { params: { id }, body: { listed: true } });
    const { stdout, code } = await run([key, '--to-group', 'writers', '--to', 'bea', '--json']);
    expect([JSON.parse(stdout), code]).toEqual([{ id: expect.any(String), keys: [key], recipients: ['bea', 'vera'] }, 0]);
    expect(await received(vera)).toEqual([['', key]]);
    expect(await run([key, '--to-group', 'Painters'])).toMatchObject({
      code: 1,
      stderr: 'pixdock: There’s no group "Painters". An administrator has listed: Writers.\n',
    });
    const undone = await run(['--undo', JSON.parse(stdout).id, '--json']);
    expect(JSON.parse(undone.stdout)).toEqual({ id: JSON.parse(stdout).id, removed: true });
    await owner.client.call(changeAdminSettings, { body: { team_directory: false } });
    expect(await run([key, '--to-group', 'Writers'])).toMatchObject({ code: 1, stderr: expect.stringContaining('doesn’t list') });
    await owner.client.call(changeAdminSettings, { body: { team_directory: true } });
  });

  it('says what is wrong: an unknown user, another’s picture, a token that can only upload', async () => {
    const { key } = await upload();
    expect(await run([key, '--to', 'nobody'])).toMatchObject({
      code: 1,
      stderr: 'pixdock: No user of this server is called “nobody”. Enter the name exactly.\n',
    });
    const asBea = ['--base-url', service.url, '--token', await bea.token('full')];
    expect(await run([key, '--to', 'cora', ...asBea], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('isn’t among yours') });
    expect((await run([key, '--to', 'cora'], { ...env, PIXDOCK_TOKEN: await owner.token('upload') })).code).toBe(1);
    expect(await received(cora)).toEqual([]);
  });

  it('sends nothing for a link to another server, which learns nothing', async () => {
    await using other = await startScriptedService([accept()]);
    const { code, stderr } = await run([`${other.url}/i/b7Rk2mQx9LpT.png`, '--to', 'bea']);
    expect([code, stderr, other.seen]).toEqual([2, expect.stringContaining('is on another server'), []]);
  });
});
