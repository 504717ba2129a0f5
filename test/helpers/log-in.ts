import { type RawAnswer, type RawOptions, rawRequest } from './raw-request.ts';
import { type Reachable, type SignedIn, signedIn } from './service.ts';

/** Signs in with a password over HTTP. */
export function logIn({ url }: Reachable, login: string, password: string, headers: RawOptions['headers'] = {}): Promise<RawAnswer> {
  return rawRequest(`${url}/api/v1/auth/login`, { method: 'POST', headers, body: { login, password } });
}

/** A new session of an account. Throws the response when the service refuses. */
export async function newSession(
  service: Reachable,
  login: string,
  password: string,
  headers: RawOptions['headers'] = {},
): Promise<SignedIn> {
  const answer = await logIn(service, login, password, headers);
  if (answer.status !== 200) throw Object.assign(new Error(`sign-in failed: ${answer.body}`), { status: answer.status });
  return signedIn(service, answer.setCookies[0]?.split(';')[0] ?? '');
}
