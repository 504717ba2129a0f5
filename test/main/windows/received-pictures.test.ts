import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { send as sendTo } from '#api/sent.ts';
import type { Access, Account } from '#main/service/account.ts';
import { FOLLOW_AGAIN_AFTER_MS } from '#main/service/account-events.ts';
import { en } from '#main/texts/en.ts';
import { announceReceived } from '#main/windows/received-pictures.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { askForPictures, sendThrough } from '#test/helpers/service/requests.ts';
import { type SignedIn, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { FakeClock } from '#test/main/fake-clock.ts';

const SENDER = { 'x-sender': 's'.repeat(32) };

async function setup({ isJoined = false } = {}) {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const [ada, bob] = [await setUp(service), await addUser(service, 'bob')];
  const changes = new EventEmitter<{ change: [] }>();
  let chosen: string | undefined;
  /** Cookies that take the place of a user's own. */
  const sessions = new Map<string, string>();
  /** The same with tokens. */
  const tokens = new Map<string, string>();
  const access = async (): Promise<Access> => ({
    url: service.url,
    headers: tokens.has(chosen ?? '')
      ? { authorization: `Bearer ${tokens.get(chosen ?? '')}` }
      : { cookie: sessions.get(chosen ?? '') ?? chosen ?? '' },
  });
  const account: Account = {
    id: () => chosen,
    name: () => chosen,
    state: () => (chosen ? 'ready' : 'waiting'),
    onChange(listener) {
      changes.on('change', listener);
      return () => void changes.off('change', listener);
    },
    access,
    renew: access,
  };
  const choose = (user: SignedIn | undefined) => {
    chosen = user?.cookie;
    changes.emit('change');
  };
  const clock = new FakeClock();
  const notices: { title: string; body: string; onClick?(): void }[] = [];
  const pages: string[] = [];
  announceReceived({
    account,
    isJoined,
    clock,
    notify: (notice) => notices.push(notice),
    texts: () => en,
    open: (page) => pages.push(page),
  });
  onTestFinished(() => choose(undefined));

  /** Someone sends pictures through a link of a user, and says that they are done. */
  const send = async (user: SignedIn, title: string, from: string, count: number) => {
    const link = await askForPictures(user, { title });
    for (let index = 0; index < count; index += 1)
      expect(
        await sendThrough(service.url, link.id, tinyPng(index + 1), { fields: { from }, headers: SENDER, name: 'a.png' }),
      ).toMatchObject({ status: 200 });
    await fetch(`${service.url}/api/v1/r/${link.id}/done`, {
      method: 'POST',
      headers: { ...SENDER, 'content-type': 'application/json' },
      body: '{}',
    });
    return link;
  };
  const untilFollowed = () => expect.poll(async () => (await ada.fetch('/metrics')).text()).toMatch(/^pixdock_event_streams 1$/m);
  return { ada, bob, choose, untilFollowed, sessions, tokens, service, clock, notices, pages, send };
}

test('notifies once of all that someone sent to the chosen account, and leads to the album', async () => {
  const { ada, bob, choose, untilFollowed, notices, pages, send } = await setup();
  choose(bob);
  choose(ada);
  await untilFollowed();
  const { album_id } = await send(ada, 'Party', 'Ana', 2);
  await expect.poll(() => notices).toMatchObject([{ title: 'Ana sent 2 pictures', body: 'New pictures in “Party”' }]);
  notices[0]?.onClick?.();
  expect(pages).toEqual([`/albums/${album_id}`]);
  await send(bob, 'Secret', '', 1);
  await send(ada, 'Trip', '', 1);
  await expect.poll(() => notices.map(({ body }) => body)).toEqual(['New pictures in “Party”', 'New pictures in “Trip”']);
  expect(notices[1]?.title).toBe('Someone sent 1 picture');
});

test('follows again once the session is valid', async () => {
  const { ada, choose, untilFollowed, sessions, clock, notices, send } = await setup();
  const { cookie } = ada;
  sessions.set(cookie, 'ended');
  choose(ada);
  await expect.poll(() => clock.isAwaited()).toBe(true);
  sessions.clear();
  clock.pass(FOLLOW_AGAIN_AFTER_MS);
  await untilFollowed();
  await send(ada, 'Party', 'Ana', 1);
  await expect.poll(() => notices.map(({ title }) => title)).toEqual(['Ana sent 1 picture']);
});

test('notifies of what another user has sent, also a joined app, with its token', async () => {
  const { ada, bob, choose, untilFollowed, tokens, service, notices, pages, send } = await setup({ isJoined: true });
  tokens.set(ada.cookie, await ada.token('device'));
  choose(ada);
  await untilFollowed();
  const { key } = await uploadImage(service, await bob.token('full'), tinyPng(50), { visibility: 'private' });
  const body = { keys: [key], to: [{ username: 'ada' }] };
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    if (!`${request[0]}`.includes('/sent?')) return fetch(...request);
    // While the app asks what has arrived, more does.
    spy.mockRestore();
    await bob.client.call(sendTo, { body: { ...body, message: 'Look' } });
    return fetch(...request);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await bob.client.call(sendTo, { body });
  await expect
    .poll(() => notices)
    .toMatchObject([
      { title: 'bob sent 1 picture', body: 'Sent to you on Pixdock' },
      { title: 'bob sent 1 picture', body: 'Look' },
    ]);
  // Its token doesn't say who sent what through a link.
  await send(ada, 'Party', 'Ana', 1);
  await expect.poll(() => notices[2]?.title).toBe('New pictures through a request link');
  for (const { onClick } of notices) onClick?.();
  expect(pages).toEqual(['/sent', '/sent', '/albums']);
});

test('asks no more with a token that may only upload', async () => {
  const { ada, choose, tokens, clock } = await setup({ isJoined: true });
  tokens.set(ada.cookie, await ada.token('upload'));
  const { fetch } = globalThis;
  let refused = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await fetch(...request);
    // Read in full, so that nothing but turns of the event loop lies between it and its consequences.
    const whole = new Response(await response.text(), response);
    refused = response.status;
    return whole;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  choose(ada);
  await expect.poll(() => refused).toBe(403);
  for (let count = 0; count < 10; count++) await turn();
  expect(clock.isAwaited()).toBe(false);
});
