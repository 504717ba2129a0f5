import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordTries } from '#server/core/viewing/password-tries.ts';
import { volatileLimits, watchedLimits } from '#test/helpers/service/limits.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

const PASSWORD = 'Öffne dich, 芝麻';
/** UTF-8 bytes for a header: fetch writes every character below 256 as one byte. */
const asHeader = (text: string) => ({ 'x-image-password': Buffer.from(text, 'utf8').toString('latin1') });

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing({ trustProxy: ['127.0.0.1'] });
});
afterAll(() => sharing[Symbol.asyncDispose]());

const locked = () => sharing.upload({ access_password: PASSWORD });
const status = async (path: string, headers: Record<string, string> = {}) => (await fetch(sharing.url + path, { headers })).status;
const unlock = (key: string, password: string, headers: Record<string, string> = {}) =>
  sendJson(`${sharing.url}/api/v1/s/${key}/unlock`, 'POST', { password }, headers);
/** Sends a request from its own address, so that tests don't share failures. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const unlockCookies = (response: Response) => response.headers.getSetCookie().filter((cookie) => cookie.startsWith('pixdock_unlock_'));
const pairOf = (response: Response) => unlockCookies(response)[0]?.split(';')[0] as string;

describe('the header X-Image-Password', () => {
  it('opens image, thumbnail and metadata for that request only, in UTF-8', async () => {
    const { key } = await locked();
    for (const path of [`/i/${key}.jpg`, `/t/${key}.jpg`]) {
      expect(await status(path, asHeader(PASSWORD))).toBe(200);
      expect(await status(path)).toBe(401);
    }
    const share = await fetch(`${sharing.url}/api/v1/s/${key}`, { headers: asHeader(PASSWORD) });
    expect(await dataOf(share)).toMatchObject({ key, password_required: false, name: 'photo.jpg' });
    expect(unlockCookies(share)).toEqual([]);
  });

  it('accepts the password however its accents are composed', async () => {
    const { key } = await locked();
    expect(await status(`/i/${key}.jpg`, asHeader(PASSWORD.normalize('NFD')))).toBe(200);
  });

  it('is refused as wrong_password when wrong, and ignored when empty', async () => {
    const { key } = await locked();
    const who = from('198.51.100.1');
    for (const path of [`/i/${key}.jpg`, `/t/${key}.jpg`, `/api/v1/s/${key}`]) {
      const response = await fetch(sharing.url + path, { headers: { ...asHeader('guess'), ...who } });
      expect([response.status, (await dataOf(response)).code]).toEqual([401, 'wrong_password']);
    }
    const empty = await fetch(`${sharing.url}/i/${key}.jpg`, { headers: { 'x-image-password': '', ...who } });
    expect((await dataOf(empty)).code).toBe('password_required');
  });

  it("is not checked for a picture that doesn't exist for the caller", async () => {
    const { key } = await sharing.upload({ access_password: PASSWORD, visibility: 'private' });
    for (let index = 0; index < 12; index++) expect(await status(`/i/${key}.jpg`, asHeader('guess'))).toBe(404);
    expect(await status(`/i/${key}.jpg`, asHeader(PASSWORD))).toBe(404);
  });

  it('is ignored for the owner', async () => {
    const { key } = await locked();
    expect(await status(`/i/${key}.jpg`, { ...asHeader('guess'), cookie: sharing.bea.cookie })).toBe(200);
  });
});

describe('ten wrong passwords', () => {
  it('block one address from a picture, by header and by unlock, even with the right one', async () => {
    const [{ key }, other] = [await locked(), await locked()];
    const guesser = from('198.51.100.2');
    for (let index = 0; index < 5; index++) {
      expect(await status(`/i/${key}.jpg`, { ...asHeader(`guess ${index}`), ...guesser })).toBe(401);
      expect((await unlock(key, `guess ${index}`, guesser)).status).toBe(401);
    }
    const refused = await fetch(`${sharing.url}/t/${key}.jpg`, { headers: { ...asHeader(PASSWORD), ...guesser } });
    expect([refused.status, (await dataOf(refused)).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
    expect((await unlock(key, PASSWORD, guesser)).status).toBe(429);
    expect(await status(`/i/${other.key}.jpg`, { ...asHeader(PASSWORD), ...guesser })).toBe(200);
    expect((await unlock(key, PASSWORD, from('198.51.100.3'))).status).toBe(200);
  });

  it('cannot be exceeded by concurrent attempts', async () => {
    const { key } = await locked();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => status(`/i/${key}.jpg`, { ...asHeader(`guess ${index}`), ...from('198.51.100.4') })),
    );
    expect(responses.filter((code) => code === 401)).toHaveLength(10);
    expect(responses.filter((code) => code === 429)).toHaveLength(30);
  });

  it('are counted per IPv6 network', async () => {
    const { key } = await locked();
    for (let index = 0; index < 10; index++) await unlock(key, 'guess', from(`2001:db8:1:2::${index}`));
    expect((await unlock(key, PASSWORD, from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await unlock(key, PASSWORD, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  it('do not block a client that has already unlocked it', async () => {
    const { key } = await locked();
    const who = from('198.51.100.5');
    const cookie = pairOf(await unlock(key, PASSWORD, who));
    for (let index = 0; index < 11; index++) await unlock(key, 'guess', who);
    expect(await status(`/i/${key}.jpg`, { cookie, ...who })).toBe(200);
  });

  it("are failures only: right passwords don't count", async () => {
    const { key } = await locked();
    for (let index = 0; index < 15; index++) expect(await status(`/t/${key}.jpg`, asHeader(PASSWORD))).toBe(200);
  });
});

it('computes one slow hash for 200 concurrent right passwords, and one per wrong password', async () => {
  let computed = 0;
  const verify = async (_hash: string | null | undefined, password: string) => {
    computed++;
    await new Promise(setImmediate);
    return password === 'right';
  };
  const tries = createPasswordTries({ sign: (purpose, text) => `${purpose} ${text}` }, volatileLimits(), verify);
  const lock = { kind: 'image' as const, id: 'AAAAAAAAAAAA', passwordHash: 'hash' };
  const results = await Promise.all(Array.from({ length: 200 }, () => tries.isRight(lock, 'right', '192.0.2.1')));
  expect([results.every(Boolean), computed]).toEqual([true, 1]);
  expect(await tries.isRight({ ...lock, passwordHash: 'changed' }, 'wrong', '192.0.2.1')).toBe(false);
  expect(await tries.isRight({ ...lock, passwordHash: 'changed' }, 'right', '192.0.2.1')).toBe(true);
  expect(computed).toBe(3);
});

describe('guesses at one picture', () => {
  const LOCK = { kind: 'image' as const, id: 'AAAAAAAAAAAA', passwordHash: 'hash' };
  const createTries = () =>
    createPasswordTries(
      { sign: (purpose, text) => `${purpose} ${text}` },
      volatileLimits(),
      async (_hash, password) => password === 'right',
    );
  type Tries = ReturnType<typeof createTries>;
  const outcome = (tries: Tries, password: string, address: string, lock = LOCK) =>
    tries.isRight(lock, password, address).then(String, ({ code }) => code as string);
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `10.${index >> 8}.${index & 255}.1`);

  it('are limited altogether, from however many addresses they come', async () => {
    const tries = createTries();
    const results = await Promise.all(addresses(650).map((address) => outcome(tries, 'wrong', address)));
    expect(Map.groupBy(results, String).get('false')).toHaveLength(100);
    expect(results.filter((result) => result === 'rate_limited')).toHaveLength(550);
    expect(await outcome(tries, 'right', '192.0.2.1', { ...LOCK, id: 'BBBBBBBBBBBB' })).toBe('true');
  });

  it('are not forgotten for guesses at others', async () => {
    const { limits, counted } = watchedLimits();
    const tries = createPasswordTries({ sign: (purpose, text) => `${purpose} ${text}` }, limits, async () => false);
    await tries.isRight(LOCK, 'wrong', '192.0.2.1');
    expect(counted).toEqual([
      ['image AAAAAAAAAAAA 192.0.2.1', false],
      ['image AAAAAAAAAAAA', true],
    ]);
  });

  it("don't shut out those who have opened it", async () => {
    const tries = createTries();
    expect(await outcome(tries, 'right', '192.0.2.1')).toBe('true');
    for (const address of addresses(100)) await outcome(tries, 'wrong', address);
    expect(await outcome(tries, 'right', '192.0.2.2')).toBe('rate_limited');
    expect(await outcome(tries, 'right', '192.0.2.1')).toBe('true');
  });
});

describe('the unlock cookie', () => {
  it('opens image, thumbnail and metadata in this browser for a day', async () => {
    const { key } = await locked();
    const response = await unlock(key, PASSWORD);
    expect(await dataOf(response)).toMatchObject({ key, password_required: false, name: 'photo.jpg' });
    const [cookie, ...others] = unlockCookies(response);
    expect(others).toEqual([]);
    expect(cookie).toMatch(/; Max-Age=86400; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: pairOf(response) };
    expect(await status(`/i/${key}.jpg`, headers)).toBe(200);
    expect(await status(`/t/${key}.jpg`, headers)).toBe(200);
    expect(await dataOf(await fetch(`${sharing.url}/api/v1/s/${key}`, { headers }))).toMatchObject({ password_required: false });
  });

  it('is Secure only when the request came over https', async () => {
    const { key } = await locked();
    const [secure] = unlockCookies(await unlock(key, PASSWORD, { 'x-forwarded-proto': 'https' }));
    expect(secure).toContain('; Secure');
  });

  it('opens nothing else, not even with the same password or under another cookie name', async () => {
    const [first, second] = [await locked(), await locked()];
    const cookie = pairOf(await unlock(first.key, PASSWORD));
    expect(await status(`/i/${second.key}.jpg`, { cookie })).toBe(401);
    expect(await status(`/i/${second.key}.jpg`, { cookie: cookie.replace(first.key, second.key) })).toBe(401);
    expect(await status(`/i/${first.key}.jpg`, { cookie: cookie.replace(/=\d+/, (expiry) => `${expiry}0`) })).toBe(401);
    expect(await status(`/i/${first.key}.jpg`, { cookie: cookie.split('=')[0] as string })).toBe(401);
  });

  it('expires when the password changes', async () => {
    const { key } = await locked();
    const cookie = pairOf(await unlock(key, PASSWORD));
    const changed = await sendJson(
      `${sharing.url}/api/v1/images/${key}`,
      'PATCH',
      { access_password: 'another one' },
      { cookie: sharing.bea.cookie },
    );
    expect(changed.status).toBe(200);
    expect(await status(`/i/${key}.jpg`, { cookie })).toBe(401);
  });

  it('is not set for a wrong password or a request from another site', async () => {
    const { key } = await locked();
    const wrong = await unlock(key, 'guess', from('198.51.100.6'));
    expect([wrong.status, (await dataOf(wrong)).code, unlockCookies(wrong)]).toEqual([401, 'wrong_password', []]);
    const foreign = await unlock(key, PASSWORD, { origin: 'https://evil.example' });
    expect([foreign.status, unlockCookies(foreign)]).toEqual([403, []]);
  });

  it('replaces older ones when there are twenty', async () => {
    const { key } = await locked();
    const old = Array.from({ length: 25 }, (_, index) => `pixdock_unlock_image_${String(index).padStart(12, 'A')}=${index}.x`);
    const set = unlockCookies(await unlock(key, PASSWORD, { cookie: old.join('; ') }));
    const cleared = set.filter((cookie) => cookie.includes('Expires=Thu, 01 Jan 1970'));
    expect(set.filter((cookie) => cookie.includes('Max-Age=86400'))).toHaveLength(1);
    expect(cleared.map((cookie) => cookie.split('=')[0])).toEqual(
      old
        .slice(0, 6)
        .reverse()
        .map((cookie) => cookie.split('=')[0]),
    );
  });
});
