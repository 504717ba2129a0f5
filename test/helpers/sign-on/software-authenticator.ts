import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

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

export interface SoftwarePasskey {
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
export function createPasskey({ challenge, user }: Asked, options: Options) {
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
export function signWithPasskey({ id, key, userHandle }: SoftwarePasskey, { challenge }: Asked, options: Options) {
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
export function forgePasskey(passkey: SoftwarePasskey): SoftwarePasskey {
  return { ...passkey, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
}
