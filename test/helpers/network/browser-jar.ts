import { type RawOptions, type RawResponse, rawRequest } from './raw-request.ts';

/** A browser's cookies, by origin and path. Redirects are followed one at a time, so that tests can inspect them. */
export interface Jar {
  send(url: string, options?: RawOptions): Promise<RawResponse>;
  /** The address that a response redirects to. */
  next(response: RawResponse, from: string): string;
  cookie(url: string, name: string): string | undefined;
  cookies(url: string): { name: string; value: string }[];
  setCookie(url: string, name: string, value: string): void;
}

interface Kept {
  name: string;
  value: string;
  path: string;
}

export function createJar(): Jar {
  const kept = new Map<string, Kept[]>();
  const of = (url: string) => kept.get(new URL(url).origin) ?? [];
  const fitting = (url: string) => of(url).filter(({ path }) => new URL(url).pathname.startsWith(path));

  function keep(url: string, cookie: Kept, dead: boolean) {
    const others = of(url).filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    kept.set(new URL(url).origin, dead ? others : [...others, cookie]);
  }

  return {
    async send(url, options = {}) {
      const cookie = fitting(url)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
      const response = await rawRequest(url, {
        ...options,
        headers: { accept: 'text/html', ...(cookie && { cookie }), ...options.headers },
      });
      for (const text of response.setCookies) keep(url, parse(text), isDead(text));
      return response;
    },
    next(response, from) {
      const location = response.header('location');
      if (!location) throw new Error(`no redirect, but ${response.status}: ${response.body.slice(0, 300)}`);
      return new URL(location, from).href;
    },
    cookie: (url, name) => fitting(url).find((cookie) => cookie.name === name)?.value,
    cookies: fitting,
    setCookie: (url, name, value) => keep(url, { name, value, path: of(url).find((cookie) => cookie.name === name)?.path ?? '/' }, false),
  };
}

function parse(text: string): Kept {
  const [pair = '', ...attributes] = text.split('; ');
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
  return { name, value, path };
}

function isDead(text: string): boolean {
  const expires = /expires=([^;]+)/i.exec(text)?.[1];
  return expires !== undefined && Date.parse(expires) <= Date.now();
}
