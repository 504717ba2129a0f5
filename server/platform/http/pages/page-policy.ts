import { createHash } from 'node:crypto';
import { contentSecurityPolicy } from '#server/platform/http/headers/security-headers.ts';

const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/**
 * The Content-Security-Policy of a page as it was built: that of all responses, and the hash of the script that the build has written into the
 * page. Never call this with a page that something has been added to: the policy would allow whatever that is.
 */
export function policyOf(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return contentSecurityPolicy().replace("script-src 'self'", () => ["script-src 'self'", ...hashes].join(' '));
}
