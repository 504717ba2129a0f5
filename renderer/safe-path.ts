/** The value if it is a path of this site: a link in an e-mail must not lead elsewhere after sign-in. */
export const safePath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;
