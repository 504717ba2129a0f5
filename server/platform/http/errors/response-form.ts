import type { Request } from 'express';

/** The form in which a client can use the explanation of a refusal. */
export type ResponseForm = 'page' | 'picture' | 'data';

/**
 * A person who follows a link wants a page, an `<img>` a picture, and everything else the JSON. Browsers name it in
 * `Sec-Fetch-Dest`; where that is missing (plain http on the LAN), `Accept` distinguishes them: a program's "anything" means JSON.
 */
export function responseForm(request: Request): ResponseForm {
  const destination = request.headers['sec-fetch-dest'];
  if (destination === 'image') return 'picture';
  if (destination === 'empty') return 'data';
  const best = request.accepts(['json', 'html', 'image/svg+xml']);
  if (best === 'html') return 'page';
  return best === 'image/svg+xml' || namesPicturesFirst(request) ? 'picture' : 'data';
}

/** As older browsers do for an `<img>`: they name only the picture formats they prefer, followed by anything. */
function namesPicturesFirst({ headers }: Request): boolean {
  return /^\s*image\/[^,]+(,\s*image\/[^,]+)*,\s*\*\/\*/.test(headers.accept ?? '');
}

/** Whether a browser prefetches what its user may never view. */
export function isPrefetch(request: Request): boolean {
  return ['sec-purpose', 'purpose', 'x-moz'].some((name) => /\bprefetch\b/i.test(String(request.headers[name] ?? '')));
}
