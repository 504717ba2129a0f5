import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { ServerMetadata } from 'openid-client';
import { CLOCK_TOLERANCE_SECONDS, TIMEOUT_SECONDS } from './provider-client.ts';

/** With the client secret, and with a published key; `none` is never accepted. */
const SYMMETRIC = ['HS256', 'HS384', 'HS512'];
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const QUANTUM_SAFE = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];
const SUPPORTED = [...SYMMETRIC, ...ASYMMETRIC, ...QUANTUM_SAFE];

export const usesSecret = (algorithm: string) => SYMMETRIC.includes(algorithm);

/** The signing algorithms that a provider announces for ID tokens; the default is the standard's. */
export function announcedAlgorithms({ id_token_signing_alg_values_supported: announced }: ServerMetadata): string[] {
  return Array.isArray(announced) ? announced : ['RS256'];
}

/** Those of them that Pixdock can check. */
export function acceptedAlgorithms(server: ServerMetadata): string[] {
  return announcedAlgorithms(server).filter((algorithm) => SUPPORTED.includes(algorithm));
}

const publishedAt = (address: string) => createRemoteJWKSet(new URL(address), { timeoutDuration: TIMEOUT_SECONDS * 1000 });

/** Whether a provider publishes a key for one of its algorithms. Throws if what it publishes can't be read. */
export async function hasUsableKey(server: ServerMetadata): Promise<boolean> {
  const published = publishedAt(server.jwks_uri ?? '');
  await published.reload();
  for (const alg of acceptedAlgorithms(server)) {
    const found = await published({ alg }).catch((error: unknown) => error instanceof errors.JWKSMultipleMatchingKeys);
    if (found) return true;
  }
  return false;
}

/**
 * Returns a function that checks the signature and the times of a JWT, with the keys that the provider publishes at that moment or
 * with the client secret, and returns its claims.
 */
export function createVerifier(server: ServerMetadata, clientSecret: string): (jwt: string) => Promise<JWTPayload> {
  const { jwks_uri, userinfo_signing_alg_values_supported: ofUserinfo } = server;
  const announced = [...announcedAlgorithms(server), ...(Array.isArray(ofUserinfo) ? ofUserinfo : [])];
  const algorithms = SUPPORTED.filter((algorithm) => announced.includes(algorithm));
  const options = { algorithms, clockTolerance: CLOCK_TOLERANCE_SECONDS };
  const published = jwks_uri && publishedAt(jwks_uri);
  const keyOf: JWTVerifyGetKey = (header, token) => {
    if (usesSecret(header.alg)) return new TextEncoder().encode(clientSecret);
    if (!published) throw new errors.JWKSNoMatchingKey('the provider publishes no keys');
    return published(header, token);
  };
  return async (jwt) => {
    try {
      return (await jwtVerify(jwt, keyOf, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // While keys are rotated, a token may not say which of them has signed it.
      for await (const key of error) {
        const verified = await jwtVerify(jwt, key, options).catch(unlessWrongKey);
        if (verified) return verified.payload;
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  };
}

function unlessWrongKey(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
}
