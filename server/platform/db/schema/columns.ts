import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';

/**
 * What tables are declared with. From one declaration derive the types of rows, the DDL of both engines (`create.ts`) and the check of
 * each row of an untrusted database. The bounds are those within which every use of a value works, not those of what users may enter,
 * which change between versions.
 */

interface Storage {
  /** Integers have 64 bits. */
  kind: 'integer' | 'text';
  isNullable?: true;
  isUnique?: true;
  isNumbered?: true;
  initial?: string | number;
  parent?: { table: string; onDelete: 'cascade' | 'set null' | undefined };
}

/** A column. Its methods return another one. @typeParam Type as Kysely takes it */
export class Column<Type> {
  /** Known to the compiler only. */
  declare readonly type: Type;
  readonly storage: Storage;
  readonly check: z.ZodType;

  constructor(storage: Storage, check: z.ZodType) {
    this.storage = storage;
    this.check = check;
  }

  nullable(): Column<Type | null> {
    return new Column({ ...this.storage, isNullable: true }, this.check.nullable());
  }

  unique(): Column<Type> {
    return new Column({ ...this.storage, isUnique: true }, this.check);
  }

  /** What it contains in rows that are inserted without it. */
  default(initial: Type & (string | number)): Column<Generated<Type>> {
    return new Column({ ...this.storage, initial }, this.check);
  }

  /** It contains the id of a row of another table. Without `onDelete`, that row can't be deleted. */
  references(table: string, onDelete?: 'cascade' | 'set null'): Column<Type> {
    return new Column({ ...this.storage, parent: { table, onDelete } }, this.check);
  }
}

type Columns = Record<string, Column<unknown>>;

interface Index<Name extends string = string> {
  columns: readonly Name[];
  /** The column of names, which are indexed without regard to capitals. */
  names?: Name;
  /** Only rows that meet this condition are in it. */
  where?: string;
  isUnique?: true;
}

interface Rest<Name extends string> {
  /** The primary key. */
  key?: readonly Name[];
  /** Columns that are unique together. */
  unique?: readonly Name[];
  indexes?: Readonly<Record<string, Index<Name>>>;
  /** Of a row, if its columns depend on each other. */
  check?: z.ZodType;
}

export interface Table<Of extends Columns = Columns> extends Rest<string> {
  readonly columns: Of;
  readonly key: readonly string[];
  readonly check: z.ZodType;
}

/** Declares a table, by default with the primary key `id`. */
export const table = <const Of extends Columns>(columns: Of, rest: Rest<keyof Of & string> = {}): Table<Of> => ({
  columns,
  key: ['id'],
  check: z.strictObject(Object.fromEntries(Object.entries(columns).map(([name, { check }]) => [name, check]))),
  ...rest,
});

/** A table as Kysely takes it. */
export type TypesOf<Of extends Table> = { [Name in keyof Of['columns']]: Of['columns'][Name]['type'] };
export type RowOf<Of extends Table> = Selectable<TypesOf<Of>>;

/** Lists of them still fit into a response. */
const MAX_TEXT = 20_000;
const MAX_JSON = 1_000_000;
/** Room for many more rows, whose numbers stay exact. */
export const MAX_ID = 2 ** 48;

export const integer = <Type extends number>(check: z.ZodType<Type>) => new Column<Type>({ kind: 'integer' }, check);
export function text(): Column<string>;
export function text<Type extends string>(check: z.ZodType<Type>): Column<Type>;
export function text(check: z.ZodType<string> = z.string().max(MAX_TEXT)) {
  return new Column<string>({ kind: 'text' }, check);
}
export const oneOf = <const Of extends readonly string[]>(values: Of) => text<Of[number]>(z.enum(values));

export const id = integer(z.int().min(1).max(MAX_ID));
/** An id that the database assigns. */
export const numbered = new Column<Generated<number>>({ kind: 'integer', isNumbered: true }, id.check);
/** The id of a row of another table. Without `onDelete`, that row can't be deleted. */
export const idOf = (table: string, onDelete?: 'cascade' | 'set null') => id.references(table, onDelete);

/** Milliseconds since 1970, in the years that RFC 3339 can express. */
export const instant = integer(z.int().min(-62_167_219_200_000).max(253_402_300_799_999));
export const flag = integer(z.literal([0, 1]));
/** A number of which millions can be added up. */
export const number = integer(
  z
    .int()
    .min(-(2 ** 40))
    .max(2 ** 40),
);
/** Any integer that JavaScript knows exactly. */
export const exact = integer(z.int());
/** A number of bytes, views or the like, or a limit of them. */
export const count = integer(z.int().min(0));
/** Seconds that can be added to the present. */
export const seconds = integer(z.int().min(0).max(1e10));

/** Becomes part of a response's head, which clients limit to 16 KB. */
export const name = text(z.string().max(1_100));
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Also the name of a file: a forged one could read or delete any file of this machine. */
export const sha256 = text(hash);
export const sha256OrNone = text(hash.or(z.literal('')));
/** `YYYY-MM-DD`. */
export const day = text(z.iso.date());
/** The argon2id hash of a password: no other parameters than any version has used, which would cost gigabytes or minutes. */
export const passwordHash = text(
  z.string().regex(/^\$argon2id\$v=19\$m=([89]|[1-9]\d{1,4}),t=[1-9],p=1\$[A-Za-z0-9+/]{21}[AQgw]\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/),
);
/** A small picture in base64. */
export const picture = text(z.base64().min(1).max(2_000_000));
/** Becomes part of an address. */
export const version = text(z.string().regex(/^[\w-]{1,64}$/));

/** JSON of a shape, as a check. */
export function jsonOf(shape: z.ZodType, max = MAX_JSON): z.ZodType<string> {
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

/** JSON of a shape. */
export const json = (shape: z.ZodType, max?: number) => text(jsonOf(shape, max));
export const object = json(z.record(z.string(), z.unknown()));
export const texts = json(z.array(z.string()));
