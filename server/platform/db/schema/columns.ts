import type { Selectable } from 'kysely';
import { z } from 'zod';

/**
 * What the columns of an untrusted database may contain. The bounds are those within which every use of a value works, not those
 * of what users may enter, which change between versions.
 */

/** Checks the rows of a table: one schema for each of its columns. */
export type RowOf<Table> = z.ZodType<Selectable<Table>>;

/** Room for many more rows, whose numbers stay exact. */
export const MAX_ID = 2 ** 48;

export const id = z.int().min(1).max(MAX_ID);
/** Milliseconds since 1970, in the years that RFC 3339 can express. */
export const instant = z.int().min(-62_167_219_200_000).max(253_402_300_799_999);
export const flag = z.literal([0, 1]);
/** A number of which millions can be added up. */
export const number = z
  .int()
  .min(-(2 ** 40))
  .max(2 ** 40);
/** A number of bytes, views or the like, or a limit of them. */
export const count = z.int().min(0);
/** Seconds that can be added to the present. */
export const seconds = z.int().min(0).max(1e10);

/** Lists of them still fit into a response. */
const MAX_TEXT = 20_000;
const MAX_JSON = 1_000_000;

export const text = z.string().max(MAX_TEXT);
/** Becomes part of a response's head, which clients limit to 16 KB. */
export const name = z.string().max(1_100);
/** Also the name of a file: a forged one could read or delete any file of this machine. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** `YYYY-MM-DD`. */
export const day = z.iso.date();
/** The argon2id hash of a password: no other parameters than any version has used, which would cost gigabytes or minutes. */
export const passwordHash = z
  .string()
  .regex(/^\$argon2id\$v=19\$m=([89]|[1-9]\d{1,4}),t=[1-9],p=1\$[A-Za-z0-9+/]{21}[AQgw]\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/);

/** A small picture in base64. */
export const picture = z.base64().min(1).max(2_000_000);
/** Becomes part of an address. */
export const version = z.string().regex(/^[\w-]{1,64}$/);

/** JSON of a shape. */
export function json(shape: z.ZodType, max = MAX_JSON) {
  return z
    .string()
    .max(max)
    .superRefine((stored, context) => {
      const message = problemOf(shape, stored);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}

function problemOf(shape: z.ZodType, stored: string): string | undefined {
  try {
    return shape.safeParse(JSON.parse(stored)).success ? undefined : 'its JSON has the wrong form';
  } catch {
    return 'it isn’t valid JSON';
  }
}

export const object = json(z.record(z.string(), z.unknown()));
export const texts = json(z.array(z.string()));
