import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { addPasskey, offerPasskey, signInByPasskey } from '#api/auth/passkeys.ts';
import type { RouteData, RouteInput } from '#api/contract.ts';
import { load } from './connection.ts';

type Options = RouteData<typeof offerPasskey>['options'];
type Created = RouteInput<typeof addPasskey>['body']['credential'];
type Used = RouteInput<typeof signInByPasskey>['body']['credential'];

// Loaded where a passkey is created or used: few visitors do either.
const library = () => load(() => import('@simplewebauthn/browser'));

/** Whether browsers offer passkeys at this page's address: a host name over https, or localhost. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}

/** Lets the browser create a passkey. Throws an error that {@link isRefusal} recognises where the user or the browser refuses. */
export async function createPasskey(options: Options): Promise<Created> {
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
}

/** Lets the user choose a passkey and sign with it. Throws like {@link createPasskey}. */
export async function signWithPasskey(options: Options): Promise<Used> {
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
}

/** Whether an error comes from the browser's dialog: closed, timed out, or not possible. */
export const isRefusal = (error: unknown) => error instanceof Error && /^(NotAllowed|Abort|InvalidState|Security)Error$/.test(error.name);
