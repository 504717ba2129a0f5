import { expect, it } from 'vitest';
import type { z as Zod } from 'zod';
import { z as stand } from '#renderer/no-schemas.ts';

const z = stand as typeof Zod;

it('declares whatever schema, and says so when one is asked for an answer', () => {
  const schema = z.object({ name: z.string().trim().min(1), kind: z.enum(['a']).optional() }).extend({ at: z.iso.datetime() });
  expect(() => schema.parse({})).toThrow('The web application has no schemas: parse is for the service.');
  expect(() => schema.safeParse({})).toThrow('safeParse');
  expect({ ...schema.shape }).toEqual({});
});
