import { generateKeyPairSync } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { JWK } from 'oidc-provider';
import { afterAll, describe, expect, it } from 'vitest';
import { selfSigned } from '#test/helpers/network/certificate.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type ProviderOptions, startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

const FAILED = '/login?error=oidc_failed';
const { service, owner } = await startFileService();

const certificate = selfSigned();
const trusted = getCACertificates('default');
setDefaultCACertificates([...trusted, certificate.cert]);
afterAll(() => setDefaultCACertificates(trusted));

/** A signing key, private and public; all of them have the same id. */
function newKey(): { private: JWK; public: JWK } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const more = { use: 'sig', alg: 'RS256', kid: 'the key' };
  return {
    private: { ...privateKey.export({ format: 'jwk' }), ...more } as JWK,
    public: { ...publicKey.export({ format: 'jwk' }), ...more } as JWK,
  };
}

const [own, unrelated] = [newKey(), newKey()];
const people = { mia: { email: 'mia@example.net', email_verified: true } };

it.each<[string, Pick<ProviderOptions, 'certificate'>]>([
  ['https', { certificate }],
  ['http', {}],
])('accepts an ID token over %s only if a published key has signed it', async (_protocol, how) => {
  const options = { people, configuration: { jwks: { keys: [own.private] } }, ...how };
  await using honest = await startOidcProvider([`${service.url}${CALLBACK}`], { ...options, published: { keys: [own.public] } });
  expect(await signOnWith(owner, honest)).toMatchObject({ discovery: { ok: true } });
  expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: expect.stringMatching(/^mia/) });
  expect(honest.requests).toContain('GET /jwks');
  await using forged = await startOidcProvider([`${service.url}${CALLBACK}`], { ...options, published: { keys: [unrelated.public] } });
  await signOnWith(owner, forged);
  expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  expect(forged.requests).toContain('POST /token');
});

/** A provider whose responses are signed with `alg`, and whose users' addresses are in userinfo only. */
function signing(
  alg: string,
  { keys = [], client = {}, changes = {} }: { keys?: JWK[] } & Pick<ProviderOptions, 'client' | 'changes'> = {},
) {
  return startOidcProvider([`${service.url}${CALLBACK}`], {
    people,
    client: { client_secret: SECRET, id_token_signed_response_alg: alg as 'RS256', ...client },
    changes,
    configuration: {
      jwks: { keys: keys.length > 0 ? keys : [own.private] },
      enabledJWA: { idTokenSigningAlgValues: [alg as 'RS256'], userinfoSigningAlgValues: [alg as 'RS256'] },
      features: { jwtUserinfo: { enabled: true } },
    },
  });
}

const SECRET = 'a secret of at least sixty-four bytes, as HS512 requires of its keys';

const pair = (alg: string) => generateKeyPair(alg, { extractable: true });
const jwkOf = async (key: CryptoKey, more: object) => ({ ...(await exportJWK(key)), ...more }) as JWK;

/** Signs the ID tokens of a provider again, with other claims, header or keys. */
function resigning(
  sign: (claims: JWTPayload, token: string) => Promise<string>,
  keys: JWK[] = [],
): NonNullable<ProviderOptions['changes']> {
  return {
    '/token': async (body) => ({ ...body, id_token: await sign(decodeJwt(String(body.id_token)), String(body.id_token)) }),
    ...(keys.length > 0 && { '/jwks': () => ({ keys }) }),
  };
}

describe('an ID token is accepted', () => {
  it.each(['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'with the algorithm %s, and so is signed userinfo',
    async (alg) => {
      const keys = alg.startsWith('HS') ? [] : [await jwkOf((await pair(alg)).privateKey, { alg, use: 'sig', kid: 'only' })];
      await using provider = await signing(alg, { keys });
      expect(await signOnWith(owner, provider)).toMatchObject({ discovery: { ok: true, problem: null } });
      expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia' });
      await using signed = await signing(alg, { keys, client: { userinfo_signed_response_alg: alg as 'RS256' } });
      await signOnWith(owner, signed);
      expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia' });
      expect(signed.requests).toContain('GET /me');
    },
  );

  it('without a key id, from one of several keys', async () => {
    const [first, second] = [await pair('RS256'), await pair('RS256')];
    const keys = await Promise.all([first, second].map(({ publicKey }) => jwkOf(publicKey, {})));
    await using provider = await signing('RS256', {
      changes: resigning((claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(second.privateKey), keys),
    });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia' });
    await using forged = await signing('RS256', {
      changes: resigning(
        async (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign((await pair('RS256')).privateKey),
        keys,
      ),
    });
    await signOnWith(owner, forged);
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });

  it('from a key that has just replaced another, beside keys that it doesn’t know', async () => {
    const [old, next] = [await pair('ES256'), await pair('ES256')];
    let current = old;
    const strange = [{ kty: 'OKP', crv: 'Ed448', x: 'AA', kid: 'new' }, { kty: 'unheard of' }] as unknown as JWK[];
    const changes = resigning((claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: current === old ? 'old' : 'new' }).sign(current.privateKey),
    );
    await using provider = await signing('ES256', {
      keys: [await jwkOf(old.privateKey, {})],
      changes: {
        ...changes,
        '/jwks': async () => ({ keys: [...strange, await jwkOf(current.publicKey, { kid: current === old ? 'old' : 'new' })] }),
      },
    });
    await signOnWith(owner, provider);
    expect((await signOn(service, 'mia')).username).toBe('mia');
    current = next;
    expect((await signOn(service, 'mia')).username).toBe('mia');
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    [
      'for several audiences, if it names this client as the authorised party',
      (claims) => ({ ...claims, aud: ['pixdock', 'account'], azp: 'pixdock' }),
    ],
    ['for a list of one audience', ({ azp: _, ...claims }) => ({ ...claims, aud: ['pixdock'] })],
    ['although it expired by the clock here, four minutes ago', (claims) => ({ ...claims, exp: now() - 240 })],
    ['although it isn’t valid by the clock here for four minutes', (claims) => ({ ...claims, iat: now() + 240, nbf: now() + 240 })],
  ])('%s', async (_name, change) => {
    await using provider = await signing('HS256', { changes: resigning((claims) => signWithSecret(change(claims))) });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia' });
  });
});

const now = () => Math.floor(Date.now() / 1000);
const signWithSecret = (claims: JWTPayload, secret = SECRET, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));

describe('an ID token is refused', () => {
  it.each<[string, (claims: JWTPayload) => Promise<string>]>([
    ['signed with another secret', (claims) => signWithSecret(claims, `${SECRET}!`)],
    ['signed with an algorithm that the provider doesn’t announce', (claims) => signWithSecret(claims, SECRET, 'HS512')],
    ['without a signature', async (claims) => new UnsecuredJWT(claims).encode()],
    [
      'for several audiences, without an authorised party',
      ({ azp: _, ...claims }) => signWithSecret({ ...claims, aud: ['pixdock', 'other'] }),
    ],
    [
      'for several audiences, with another authorised party',
      (claims) => signWithSecret({ ...claims, aud: ['pixdock', 'other'], azp: 'other' }),
    ],
    ['for another audience', (claims) => signWithSecret({ ...claims, aud: 'other' })],
    ['from another issuer', (claims) => signWithSecret({ ...claims, iss: 'https://login.example.org' })],
    ['without a nonce', ({ nonce: _, ...claims }) => signWithSecret(claims)],
    ['that expired six minutes ago', (claims) => signWithSecret({ ...claims, exp: now() - 360 })],
  ])('%s', async (_name, sign) => {
    await using provider = await signing('HS256', { changes: resigning(sign) });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });

  it('without a signature, even where the provider announces it', async () => {
    await using provider = await signing('RS256', {
      changes: {
        ...resigning(async (claims) => new UnsecuredJWT(claims).encode()),
        '/.well-known/openid-configuration': (document) => ({ ...document, id_token_signing_alg_values_supported: ['none', 'RS256'] }),
      },
    });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });

  it('signed with the text of a published key as a secret', async () => {
    const { publicKey } = await pair('RS256');
    const text = await exportSPKI(publicKey);
    await using provider = await signing('RS256', {
      changes: {
        ...resigning((claims) => signWithSecret(claims, text), [await jwkOf(publicKey, {})]),
        '/.well-known/openid-configuration': (document) => ({ ...document, id_token_signing_alg_values_supported: ['RS256', 'HS256'] }),
      },
    });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });
});

describe('userinfo as a JWT', () => {
  const signed = { userinfo_signed_response_alg: 'HS256' as const };

  it('is checked where the provider announces no algorithm for it, and whatever its type', async () => {
    await using provider = await signing('HS256', {
      client: signed,
      changes: { '/.well-known/openid-configuration': ({ userinfo_signing_alg_values_supported: _, ...document }) => document },
    });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: '/', username: 'mia' });
  });

  it.each<[string, (claims: JWTPayload) => Promise<string>]>([
    ['with a wrong signature', (claims) => signWithSecret(claims, `${SECRET}!`)],
    ['without a signature', async (claims) => new UnsecuredJWT(claims).encode()],
    ['of another subject', (claims) => signWithSecret({ ...claims, sub: 'mallory' })],
    ['for another client', (claims) => signWithSecret({ ...claims, aud: 'other' })],
    ['from another issuer', (claims) => signWithSecret({ ...claims, iss: 'https://login.example.org' })],
    ['that has expired', (claims) => signWithSecret({ ...claims, exp: now() - 360 })],
  ])('is refused %s', async (_name, sign) => {
    await using provider = await signing('HS256', { client: signed, changes: { '/me': (body) => sign(decodeJwt(String(body))) } });
    await signOnWith(owner, provider);
    expect(await signOn(service, 'mia')).toMatchObject({ location: FAILED, username: undefined });
  });
});
