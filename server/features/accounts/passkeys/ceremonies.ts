import type { z } from 'zod';
import type * as api from '#api/auth/passkeys.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { NewPasskeyRow, PasskeyRow, UserRow } from '#server/platform/db/schema/accounts.ts';
import type { PasskeySite } from './site.ts';

// The two ceremonies of WebAuthn. The library is loaded when it is needed: it takes 3 MB, and many services have no passkeys.
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: every authenticator has one of them. Without a list, the library tries algorithms that Node still warns about. */
const ALGORITHMS = [-8, -7, -257];

type Created = z.output<typeof api.addPasskey.body>['credential'];
type Used = z.output<typeof api.signInByPasskey.body>['credential'];

/** The id under which authenticators keep an account's passkeys; it reveals nothing about the account. */
const userHandle = (secrets: Secrets, userId: number) => secrets.sign('passkey-user', String(userId));

interface RegistrationSubject {
  secrets: Secrets;
  site: PasskeySite;
  user: UserRow;
  /** The account's passkeys: an authenticator makes no second one. */
  known: readonly PasskeyRow[];
  challenge: string;
  /** The site's name. */
  name: string;
}

export async function registrationOptions({ secrets, site, user, known, challenge, name }: RegistrationSubject) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: name,
    rpID: site.host,
    userName: user.username,
    userID: bytesOf(userHandle(secrets, user.id)),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    excludeCredentials: known
      .filter(({ host }) => host === site.host)
      .map(({ credential_id, transports }) => ({ id: credential_id, transports: readList(transports) })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What to store of a new passkey; undefined when it wasn't made for this challenge and site, or without verifying the user. */
export async function verifyRegistration(
  credential: Created,
  site: PasskeySite,
  challenge: string,
): Promise<Pick<NewPasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await library();
  const verified = await orRefused(
    verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: storeList(credential.response.transports ?? []),
  };
}

export async function authenticationOptions(site: PasskeySite, challenge: string) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: site.host, challenge: bytesOf(challenge), userVerification: 'required' });
}

/** Checks the use of a passkey. `user` is the account that has it, if any; `isRight` whether it may sign in. */
export async function verifyPasskey(
  { db, secrets }: { db: Database; secrets: Secrets },
  credential: Used,
  { site, challenge }: { site: PasskeySite; challenge: string },
): Promise<{ user: UserRow | undefined; isRight: boolean }> {
  const passkey = await db.read.selectFrom('passkeys').selectAll().where('credential_id', '=', credential.id).executeTakeFirst();
  const user = passkey && (await db.read.selectFrom('users').selectAll().where('id', '=', passkey.user_id).executeTakeFirst());
  if (!passkey || !user || user.disabled_at !== null || passkey.host !== site.host) return { user, isRight: false };
  const { userHandle: handle } = credential.response;
  if (handle !== undefined && !safeEqual(handle, userHandle(secrets, user.id))) return { user, isRight: false };
  const { verifyAuthenticationResponse } = await library();
  const verified = await orRefused(
    verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: { id: passkey.credential_id, publicKey: bytesOf(passkey.public_key), counter: passkey.counter },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return { user, isRight: false };
  const used = { counter: verified.authenticationInfo.newCounter, last_used_at: Date.now() };
  const { numUpdatedRows } = await db
    .as('note')
    .write((queries) => queries.updateTable('passkeys').set(used).where('id', '=', passkey.id).executeTakeFirst());
  return { user, isRight: numUpdatedRows > 0n };
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** The library throws errors of many kinds for what a client sends: to the client, they are all one refusal. */
function orRefused<T>(verification: Promise<T>): Promise<T | undefined> {
  return verification.catch(() => undefined);
}
