import { RequestError } from '../http/errors.ts';

/**
 * The origin that an admin has typed as base URL, in its normal form.
 * @throws RequestError `invalid_request` with the field when it is no http(s) origin without a path
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (isOrigin) return url.origin;
  throw new RequestError('invalid_request', 'The base URL is an http or https address without a path, such as https://pics.example.org.', {
    field: 'base_url',
  });
}
