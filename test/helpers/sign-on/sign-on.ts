import { putOidc } from '#api/auth/oidc.ts';
import type { RouteInput } from '#api/contract.ts';
import { createJar, type Jar } from '#test/helpers/network/browser-jar.ts';
import type { RawResponse } from '#test/helpers/network/raw-request.ts';
import type { SignedIn, TestService } from '#test/helpers/service/service.ts';
import type { TestProvider } from './oidc-provider.ts';

export const START = '/api/v1/auth/oidc/start';
export const CALLBACK = '/api/v1/auth/oidc/callback';

type Changes = Partial<RouteInput<typeof putOidc>['body']>;

/** Configures a service to sign users in through a provider. */
export function signOnWith(admin: SignedIn, { issuer, clientId, clientSecret }: TestProvider, changes: Changes = {}) {
  const body = { enabled: true, issuer, client_id: clientId, client_secret: clientSecret, ...changes };
  return admin.client.call(putOidc, { body });
}

/** Goes to the provider, signs in there and consents; returns the address that the provider redirects the browser to. */
export async function throughProvider(service: TestService, jar: Jar, person: string, start = `${service.url}${START}`): Promise<string> {
  let url = start;
  for (let step = 0; step < 20; step++) {
    if (new URL(url).pathname === CALLBACK) return url;
    const response = await jar.send(url);
    url = response.status === 200 ? await submit(jar, url, response, person) : jar.next(response, url);
  }
  throw new Error(`the provider does not send the browser back; last address: ${url}`);
}

/** Submits the provider's form, sign-in or consent, and returns the address that it leads to. */
async function submit(jar: Jar, page: string, { body }: RawResponse, person: string): Promise<string> {
  const action = /<form[^>]*action="([^"]+)"/.exec(body)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(body)?.[1];
  if (!action || !prompt) throw new Error(`no form at ${page}: ${body.slice(0, 300)}`);
  const url = new URL(action, page).href;
  const form = new URLSearchParams({ prompt, login: person, password: 'any' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return jar.next(await jar.send(url, { method: 'POST', headers, body: form }), url);
}

export interface SignOnResult {
  jar: Jar;
  /** The browser's final address. */
  location: string;
  /** The signed-in account's name, if any. */
  username: string | undefined;
  userId: number | undefined;
}

/** A complete sign-on as a person at the provider. */
export async function signOn(service: TestService, person: string, jar = createJar()): Promise<SignOnResult> {
  const response = await jar.send(await throughProvider(service, jar, person));
  const session = await jar.send(`${service.url}/api/v1/auth/session`);
  const user = session.data.user as { username: string; id: number } | null;
  return { jar, location: response.header('location') ?? `${response.status}`, username: user?.username, userId: user?.id };
}
