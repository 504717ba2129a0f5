import { type RawOptions, type RawResponse, rawRequest } from '#test/helpers/network/raw-request.ts';
import { type Reachable, type SignedIn, signedIn } from './service.ts';

/** Signs in with a password over HTTP. */
export function logIn({ url }: Reachable, login: string, password: string, headers: RawOptions['headers'] = {}): Promise<RawResponse> {
  return rawRequest(`${url}/api/v1/auth/login`, { method: 'POST', headers, body: { login, password } });
}

/** A new session of an account. Throws if the service refuses. */
export async function newSession(
  service: Reachable,
  login: string,
  password: string,
  headers: RawOptions['headers'] = {},
): Promise<SignedIn> {
  const response = await logIn(service, login, password, headers);
  if (response.status !== 200) throw Object.assign(new Error(`sign-in failed: ${response.body}`), { status: response.status });
  return signedIn(service, response.setCookies[0]?.split(';')[0] ?? '');
}
