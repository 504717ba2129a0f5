import type { z } from 'zod';
import type { ErrorDetails, FieldProblem } from '#api/errors.ts';

type Problem = Pick<ErrorDetails, 'problem' | 'limit'>;

/** What the pattern of a field checks. */
const PATTERNS: Record<string, FieldProblem> = {
  username: 'bad_username',
  accent_color: 'not_color',
  endpoint: 'not_service_address',
  public_url: 'not_service_address',
  issuer: 'not_service_address',
  bucket: 'bad_bucket',
  prefix: 'bad_prefix',
  access_key_id: 'temporary_key',
  allowed_email_domains: 'not_domain',
  allowed_tenants: 'not_tenant',
};

/** A code for what is wrong with a field, which clients can translate; empty where only the sentence describes it. */
export function problemOf(issue: z.core.$ZodIssue): Problem {
  if (issue.code === 'too_small') return tooSmall(issue.origin, Number(issue.minimum));
  if (issue.code === 'too_big') return { problem: tooBig(issue.origin), limit: Number(issue.maximum) };
  if (issue.code === 'invalid_type') return ['number', 'int'].includes(issue.expected) ? { problem: 'not_number' } : {};
  if (issue.code !== 'invalid_format' && issue.code !== 'custom') return {};
  if (issue.code === 'invalid_format' && issue.format === 'email') return { problem: 'not_email' };
  // Entries of a list have a number.
  const field = issue.path.findLast((part) => typeof part === 'string');
  const problem = field && PATTERNS[field];
  return problem ? { problem } : {};
}

function tooBig(origin: string): FieldProblem {
  if (origin === 'string') return 'too_long';
  return origin === 'array' ? 'too_many' : 'too_large';
}

function tooSmall(origin: string, limit: number): Problem {
  if (origin === 'number' || origin === 'int') return { problem: 'too_small', limit };
  return limit === 1 ? { problem: 'missing' } : { problem: 'too_short', limit };
}
