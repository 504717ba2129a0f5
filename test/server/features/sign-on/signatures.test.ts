import { generateKeyPairSync } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { JWK } from 'oidc-provider';
import { afterAll, expect, it } from 'vitest';
import { selfSigned } from '#test/helpers/network/certificate.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type ProviderOptions, startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOn, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

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
  expect(await signOn(service, 'mia')).toMatchObject({ location: '/login?error=oidc_failed', username: undefined });
  expect(forged.requests).toContain('POST /token');
});
