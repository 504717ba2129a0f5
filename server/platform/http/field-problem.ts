import type { z } from 'zod';
import type { ErrorDetails } from '#api/errors.ts';

type Problem = Pick<ErrorDetails, 'problem' | 'limit'>;

/** A code for what is wrong with a field, which clients can translate; empty where only the sentence describes it. */
export function problemOf(issue: z.core.$ZodIssue): Problem {
  if (issue.code === 'too_small') return tooSmall(issue.origin, Number(issue.minimum));
  if (issue.code === 'too_big') return { problem: issue.origin === 'string' ? 'too_long' : 'too_large', limit: Number(issue.maximum) };
  if (issue.code !== 'invalid_format') return {};
  if (issue.format === 'email') return { problem: 'not_email' };
  return issue.format === 'regex' && issue.path.at(-1) === 'username' ? { problem: 'bad_username' } : {};
}

function tooSmall(origin: string, limit: number): Problem {
  if (origin === 'number' || origin === 'int') return { problem: 'too_small', limit };
  return limit === 1 ? { problem: 'missing' } : { problem: 'too_short', limit };
}
