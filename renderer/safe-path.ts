const HERE = 'http://here.invalid';

/**
 * The value if it is a path of this site: a link in an e-mail must not lead elsewhere after sign-in. Read as a browser reads it, which
 * drops tabs and line breaks: `/<tab>/example.org` is another site.
 */
export const safePath = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('/') && URL.parse(value, HERE)?.origin === HERE ? value : undefined;
