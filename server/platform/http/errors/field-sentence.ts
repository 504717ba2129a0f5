import type { z } from 'zod';

/** Readable names of types. */
const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The problem with a field, as the end of a sentence about it; used where the contract has no message of its own. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it’s missing' : `it must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.minimum === 1 && isCounted(issue.origin) ? 'it’s empty' : `it must ${be(issue.origin)} at least ${amount(issue)}`;
    case 'too_big':
      return `it must ${be(issue.origin)} at most ${amount(issue)}`;
    case 'invalid_value':
      return `it must be one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'it must be a time such as 2026-11-21T09:30:00Z' : 'it has the wrong format';
    default:
      return 'it matches none of the allowed formats';
  }
}

const isCounted = (origin: string) => origin === 'string' || origin === 'array';
const be = (origin: string) => (isCounted(origin) ? 'have' : 'be');

function amount(issue: { origin: string; minimum: number | bigint } | { origin: string; maximum: number | bigint }): string {
  const limit = String('minimum' in issue ? issue.minimum : issue.maximum);
  if (!isCounted(issue.origin)) return limit;
  return `${limit} ${issue.origin === 'string' ? 'characters' : 'entries'}`;
}
