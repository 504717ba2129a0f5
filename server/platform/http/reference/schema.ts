/** The parts of a JSON schema that the reference reads, as zod generates it. */
export interface Schema {
  /** Several where null is one of them. */
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  contentEncoding?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** The alternatives that a schema allows, without null; itself if it has none. */
export function alternatives(schema: Schema): Schema[] {
  const all = schema.anyOf ?? schema.oneOf;
  return all ? all.filter(({ type }) => type !== 'null').flatMap(alternatives) : [schema];
}

export const isNullable = ({ type, anyOf, oneOf }: Schema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || [...(anyOf ?? []), ...(oneOf ?? [])].some(isNullable);

/** Values beyond those of a 32-bit or a safe integer say no more than “integer”. */
const isBound = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

/** The type of a value in a few words, such as “integer, 1 to 200” or “public or private”. */
export function typeName(schema: Schema): string {
  const names = new Set(alternatives(schema).flatMap((one) => one.enum?.map(String) ?? nameOne(one)));
  if (isNullable(schema)) names.add('null');
  const last = [...names].at(-1) ?? '';
  const others = [...names].slice(0, -1).join(', ');
  if (!others) return last;
  return `${others}${/\d( \w+)?$/.test(others) ? ',' : ''} or ${last}`;
}

function nameOne(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const type = [schema.type ?? 'any value'].flat().find((name) => name !== 'null');
  if (type === 'array')
    return `list of ${schema.items ? plural(typeName(schema.items)) : 'values'}${range(schema.minItems, schema.maxItems, ' items')}`;
  if (type === 'integer' || type === 'number') return `${type}${range(schema.minimum, schema.maximum)}`;
  if (type !== 'string') return type ?? 'null';
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.format === 'date') return 'date';
  if (schema.format === 'binary') return 'file';
  return `${schema.format === 'email' ? 'email address' : 'string'}${range(schema.minLength, schema.maxLength, ' characters')}`;
}

/** “strings (up to 20 characters)” for “string, up to 20 characters”; choices stay as they are. */
function plural(name: string): string {
  if (name.endsWith(' or null')) return `${plural(name.slice(0, -' or null'.length))} or nulls`;
  const [, word, rest = ''] = /^(string|object|integer|number|date|timestamp|list)(?:, (.*)| of .*)?$/.exec(name) ?? [];
  return word ? `${word}s${rest && ` (${rest})`}` : name;
}

function range(low: number | undefined, high: number | undefined, unit = ''): string {
  const [from, to] = [isBound(low) && low > 0 ? low : undefined, isBound(high) ? high : undefined].map((bound) =>
    bound?.toLocaleString('en'),
  );
  if (from === undefined && to === undefined) return '';
  if (from === undefined) return `, up to ${to}${unit}`;
  if (to === undefined) return `, at least ${from}${unit}`;
  return from === to ? `, ${to}${unit}` : `, ${from} to ${to}${unit}`;
}

export interface Field {
  /** With the names of what it is in: `links.url`, `items[].key`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
  default: unknown;
}

/** Objects in objects beyond this depth are described by their type alone. */
const MAX_DEPTH = 4;

/** The fields of an object, including those of the objects and lists in it. */
export function fieldsOf(schema: Schema, prefix = '', depth = 0): Field[] {
  const objects = alternatives(schema).filter(({ properties }) => properties);
  const seen = new Set<string>();
  return objects.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([key, property]) => {
      if (seen.has(key)) return [];
      seen.add(key);
      const name = `${prefix}${key}`;
      const { description = '' } = property;
      const isRequired = required.includes(key) && objects.length === 1;
      const field = { name, type: typeName(property), required: isRequired, description, default: property.default };
      return depth < MAX_DEPTH ? [field, ...fieldsOf(...inside(property, name), depth + 1)] : [field];
    }),
  );
}

function inside(property: Schema, name: string): [Schema, string] {
  const list = alternatives(property).find(({ items }) => items);
  return list?.items ? [list.items, `${name}[].`] : [property, `${name}.`];
}

/** Values for examples, by the name of the field, where the schema has none. */
const SAMPLES: Record<string, unknown> = {
  username: 'ada',
  login: 'ada',
  email: 'ada@example.org',
  password: 'correct horse battery',
  new_password: 'correct horse battery',
  access_password: 'open sesame',
  name: 'Holiday',
  key: 'k3Yp9QzX7aBc',
  keys: ['k3Yp9QzX7aBc'],
  id: 'Ab3dE5gH7j',
  album_id: 'Ab3dE5gH7j',
  url: 'https://example.com/picture.jpg',
  issuer: 'https://login.example.org',
  folder: '/mnt/pictures',
  secret: 'q7Rk2LmN8pVx4ZtB',
};

/** A value that the schema accepts, for an example of a request. Of an object, only what is required. */
export function sampleOf(schema: Schema, name = ''): unknown {
  const [first = {}] = alternatives(schema);
  const given = schema.examples?.[0] ?? first.examples?.[0] ?? schema.default ?? first.const ?? first.enum?.[0];
  if (given !== undefined && given !== null) return given;
  if (first.type === 'object') {
    const { properties = {}, required = [] } = first;
    const names = required.length ? required : Object.keys(properties).slice(0, 1);
    return Object.fromEntries(names.map((key) => [key, sampleOf(properties[key] ?? {}, key)]));
  }
  if (first.type === 'integer' || first.type === 'number') return isBound(first.minimum) ? Math.max(1, first.minimum) : 1;
  if (first.type === 'boolean') return true;
  if (SAMPLES[name] !== undefined) return SAMPLES[name];
  if (first.type === 'array') return [sampleOf(first.items ?? {}, name)];
  if (first.format === 'date-time') return '2026-11-22T12:00:00Z';
  return first.format === 'email' ? 'ada@example.org' : 'text';
}
