import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import * as admin from '#api/admin/users.ts';
import * as api from '#api/auth/passkeys.ts';
import { createClient } from '#api/client.ts';
import { getConfig } from '#api/config.ts';
import { passkeySite } from '#server/features/accounts/passkeys/site.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { type AddedUser, addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';

// A small WebAuthn authenticator with ES256 keys and no attestation, together with the browser that drives it.

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

interface Options {
  /** The origin that the browser reports. */
  origin: string;
  /** The host name that the passkey is bound to; by default that of the origin. */
  rpId?: string;
  /** Whether the user is verified, by a PIN or a finger. */
  verified?: boolean;
}

interface SoftwarePasskey {
  id: string;
  key: KeyObject;
  userHandle: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

function clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string, origin: string) {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData({ origin, rpId, verified = true }: Options, flags = 0, credential = Buffer.alloc(0)) {
  const all = flags | USER_PRESENT | (verified ? USER_VERIFIED : 0);
  return Buffer.concat([sha256(rpId ?? new URL(origin).hostname), Buffer.from([all]), Buffer.alloc(4), credential]);
}

/** The options of the service, as far as they matter here. */
interface Asked {
  challenge: string;
  [name: string]: unknown;
}

/** Creates a passkey: what the service gets, and the passkey itself. */
function createPasskey({ challenge, user }: Asked, options: Options) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}, an EC2 key for ES256 on P-256 (RFC 9053).
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const cose = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), left, Buffer.from('225820', 'hex'), right]);
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
  const authData = authenticatorData(options, HAS_CREDENTIAL, credential);
  // CBOR: {"fmt": "none", "attStmt": {}, "authData": authData}
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
  const attestationObject = Buffer.concat([head, Buffer.from([authData.length]), authData]);
  const passkey: SoftwarePasskey = { id: base64url(id), key: privateKey, userHandle: (user as { id: string }).id };
  const response = {
    clientDataJSON: base64url(clientData('webauthn.create', challenge, options.origin)),
    attestationObject: base64url(attestationObject),
    transports: ['internal'],
  };
  return { passkey, credential: { id: passkey.id, rawId: passkey.id, type: 'public-key' as const, response } };
}

/** Signs in with a passkey. */
function signWithPasskey({ id, key, userHandle }: SoftwarePasskey, { challenge }: Asked, options: Options) {
  const authData = authenticatorData(options);
  const client = clientData('webauthn.get', challenge, options.origin);
  const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), key);
  const response = {
    clientDataJSON: base64url(client),
    authenticatorData: base64url(authData),
    signature: base64url(signature),
    userHandle,
  };
  return { id, rawId: id, type: 'public-key' as const, response };
}

/** A passkey with the same id and another key. */
function forgePasskey(passkey: SoftwarePasskey): SoftwarePasskey {
  return { ...passkey, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
}

const { service, owner } = await startFileService({ trustProxy: ['127.0.0.1'] });
const ORIGIN = `http://localhost:${new URL(service.url).port}`;
const withPassword = { body: { current_password: USER_PASSWORD } };
/** The typed client at localhost, where passkeys work. */
const at = ({ cookie }: { cookie?: string } = {}, origin = ORIGIN) =>
  createClient({
    baseUrl: origin,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...(cookie && { cookie }) } }),
  });

let number = 0;
async function newUser(role: 'user' | 'admin' = 'user') {
  const name = `user-${++number}`;
  return { ...(await addUser(service, name, role)), username: name };
}

async function add(user: AddedUser, name = 'Laptop', how = {}) {
  const { options, ticket } = await at(user).call(api.offerPasskey, withPassword);
  const { passkey, credential } = createPasskey(options, { origin: ORIGIN, ...how });
  return { passkey, added: await at(user).call(api.addPasskey, { body: { name, ticket, credential } }) };
}

async function withPasskey(role: 'user' | 'admin' = 'user') {
  const user = await newUser(role);
  return { ...user, ...(await add(user)) };
}

async function signIn(passkey: SoftwarePasskey, how = {}) {
  const { options, ticket } = await at().call(api.askForPasskey, {});
  return send({ ticket, credential: signWithPasskey(passkey, options, { origin: ORIGIN, ...how }) });
}

const send = (body: object, headers = {}) => rawRequest(`${ORIGIN}/api/v1/auth/passkey`, { method: 'POST', body, headers });
const audit = async (action: string) => (await owner.client.call(listAudit, { query: { action, limit: 1 } })).items[0];

describe('signing in with a passkey', () => {
  it('opens a session without a password or a code', async () => {
    const { passkey, username } = await withPasskey();
    const response = await signIn(passkey);
    expect(response).toMatchObject({ status: 200, data: { user: { username } } });
    const cookie = response.setCookies[0]?.split(';')[0] ?? '';
    const { passkeys } = await at({ cookie }).call(api.listPasskeys, {});
    expect(passkeys).toMatchObject([{ name: 'Laptop', host: 'localhost', last_used_at: expect.any(String) }]);
    expect(await audit('user.signed_in')).toMatchObject({ target: username, details: { method: 'passkey' } });
    expect((await owner.client.call(getConfig, {})).passkeys_in_use).toBe(true);
  });

  it.each([
    ['without verifying the user', { verified: false }],
    ['for another site', { origin: 'http://localhost:1' }],
    ['of another host name', { rpId: 'evil.example' }],
    ['on a page of another name', { origin: 'https://evil.example', rpId: 'localhost' }],
  ])('is refused %s', async (_name, how) => {
    const { passkey, username } = await withPasskey();
    expect(await signIn(passkey, how)).toMatchObject({ status: 401, code: 'unauthorized', setCookies: [] });
    expect(await audit('user.sign_in_failed')).toMatchObject({ target: username, details: { method: 'passkey', reason: 'wrong_passkey' } });
  });

  it('is refused with another key, an unknown passkey, another user’s handle, and for a disabled account', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    expect((await signIn(forgePasskey(one.passkey))).status).toBe(401);
    expect((await signIn({ ...one.passkey, id: 'dW5rbm93bg' })).status).toBe(401);
    expect((await signIn({ ...one.passkey, userHandle: other.passkey.userHandle })).status).toBe(401);
    await owner.client.call(admin.changeUser, { params: { id: String(one.id) }, body: { disabled: true } });
    expect((await signIn(one.passkey)).status).toBe(401);
    expect((await signIn(other.passkey)).status).toBe(200);
  });

  it('accepts a challenge once, and only one of its own for signing in', async () => {
    const user = await withPasskey();
    const { options, ticket } = await at().call(api.askForPasskey, {});
    const credential = signWithPasskey(user.passkey, options, { origin: ORIGIN });
    const both = await Promise.all([send({ ticket, credential }), send({ ticket, credential })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await send({ ticket, credential })).status).toBe(401);
    const other = await at(user).call(api.offerPasskey, withPassword);
    const misused = signWithPasskey(user.passkey, other.options, { origin: ORIGIN });
    expect((await send({ ticket: other.ticket, credential: misused })).status).toBe(401);
    const own = signWithPasskey(user.passkey, { challenge: 'bWFkZSB1cA' }, { origin: ORIGIN });
    expect((await send({ ticket: 'bWFkZSB1cA', credential: own })).status).toBe(401);
  });
});

describe('a user’s passkeys', () => {
  it('are added with the password, several with names, renamed and removed', async () => {
    const user = await newUser();
    await expect(at(user).call(api.offerPasskey, { body: { current_password: 'wrong' } })).rejects.toMatchObject({
      code: 'wrong_password',
    });
    await expect(at(user).call(api.offerPasskey, { body: {} })).rejects.toMatchObject({ code: 'invalid_request' });
    const [laptop, phone] = [await add(user, 'Laptop'), await add(user, 'Phone')];
    expect(await audit('user.passkey_added')).toMatchObject({ target: user.username, details: { name: 'Phone' } });
    const params = { id: String(laptop.added.id) };
    await at(user).call(api.renamePasskey, { params, body: { name: 'Old laptop' } });
    const { available, passkeys } = await at(user).call(api.listPasskeys, {});
    expect([available, passkeys.map(({ name }) => name)]).toEqual([true, ['Old laptop', 'Phone']]);
    await expect(at(user).call(api.removePasskey, { params, body: {} })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { field: 'current_password' },
    });
    await expect(at(user).call(api.removePasskey, { params, body: { current_password: 'wrong' } })).rejects.toMatchObject({
      code: 'wrong_password',
    });
    expect((await at(user).call(api.listPasskeys, {})).passkeys).toHaveLength(2);
    await at(user).call(api.removePasskey, { params, ...withPassword });
    expect(await audit('user.passkey_removed')).toMatchObject({ target: user.username, details: { name: 'Old laptop' } });
    expect([(await signIn(laptop.passkey)).status, (await signIn(phone.passkey)).status]).toEqual([401, 200]);
    await expect(at(user).call(api.removePasskey, { params, ...withPassword })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('aren’t added without verifying the user, for another site, twice, or with another user’s ticket', async () => {
    const [user, other] = [await newUser(), await newUser()];
    for (const how of [{ verified: false }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }])
      await expect(add(user, 'Laptop', how)).rejects.toMatchObject({ code: 'invalid_request' });
    const { options, ticket } = await at(user).call(api.offerPasskey, withPassword);
    const body = { name: 'Laptop', ticket, credential: createPasskey(options, { origin: ORIGIN }).credential };
    await expect(at(other).call(api.addPasskey, { body })).rejects.toMatchObject({ code: 'invalid_request' });
    await at(user).call(api.addPasskey, { body });
    await expect(at(user).call(api.addPasskey, { body })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('can’t be used by other users', async () => {
    const [user, other] = [await withPasskey(), await newUser('admin')];
    const params = { id: String(user.added.id) };
    await expect(at(other).call(api.renamePasskey, { params, body: { name: 'Mine' } })).rejects.toMatchObject({ code: 'not_found' });
    await expect(at(other).call(api.removePasskey, { params, ...withPassword })).rejects.toMatchObject({ code: 'not_found' });
    await expect(at().call(api.removePasskey, { params, ...withPassword })).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await at(other).call(api.listPasskeys, {})).passkeys).toEqual([]);
    expect((await at(user).call(api.listPasskeys, {})).passkeys).toHaveLength(1);
  });

  it('are removed by an admin’s reset', async () => {
    const user = await withPasskey();
    const params = { id: String(user.id) };
    expect((await owner.client.call(admin.getUser, { params })).two_factor).toBe(true);
    expect((await owner.client.call(admin.resetUserTwoFactor, { params })).two_factor).toBe(false);
    expect((await signIn(user.passkey)).status).toBe(401);
  });

  it('count as the second factor that a site requires: the password alone neither signs in nor adds another', async () => {
    const user = await withPasskey();
    await owner.client.call(changeAdminSettings, { body: { two_factor_required: 'everyone' } });
    try {
      const refused = await logIn(service, user.username, USER_PASSWORD);
      expect(refused.data).toEqual({ user: null, second_step: 'passkey' });
      const cookie = refused.setCookies.map((text) => text.split(';')[0]).join('; ');
      const enrol = await rawRequest(`${service.url}/api/v1/auth/enrol`, { method: 'POST', headers: { cookie } });
      expect(enrol).toMatchObject({ status: 401, code: 'unauthorized' });
      expect((await signIn(user.passkey)).status).toBe(200);
    } finally {
      await owner.client.call(changeAdminSettings, { body: { two_factor_required: 'nobody' } });
    }
    expect((await logIn(service, user.username, USER_PASSWORD)).data.second_step).toBeNull();
  });

  it('are offered only where browsers allow them', async () => {
    const user = await withPasskey();
    expect((await user.client.call(api.listPasskeys, {})).available).toBe(false);
    await expect(user.client.call(api.offerPasskey, withPassword)).rejects.toMatchObject({
      code: 'conflict',
      details: { problem: 'passkeys_need_https' },
    });
    const { options, ticket } = await at().call(api.askForPasskey, {});
    const credential = signWithPasskey(user.passkey, options, { origin: ORIGIN });
    const elsewhere = await rawRequest(`${service.url}/api/v1/auth/passkey`, { method: 'POST', body: { ticket, credential } });
    expect(elsewhere).toMatchObject({ status: 401, code: 'unauthorized' });
    await withDatabase(service, (db) =>
      db
        .as('job')
        .write((queries) =>
          queries.updateTable('passkeys').set({ host: 'pics.example.org' }).where('name', '=', user.added.name).execute(),
        ),
    );
    expect((await signIn(user.passkey)).status).toBe(401);
  });
});

it.each([
  ['https', 'pics.example.org', undefined, 'https://pics.example.org'],
  ['https', 'pics.example.org:8443', undefined, 'https://pics.example.org:8443'],
  ['http', 'localhost:7410', undefined, 'http://localhost:7410'],
  ['http', 'pics.example.org', undefined, undefined],
  ['http', 'pics.example.org', 'https://pics.example.org', 'https://pics.example.org'],
  ['http', 'pics.lan', 'https://pics.example.org', undefined],
  ['https', '192.0.2.1', undefined, undefined],
  ['https', '[2001:db8::1]', undefined, undefined],
  ['http', '127.0.0.1:7410', undefined, undefined],
] as const)('allows passkeys at %s, %s with the base URL %s: %s', (protocol, host, baseUrl, origin) => {
  expect(passkeySite({ protocol, host }, baseUrl)?.origin).toBe(origin);
});
