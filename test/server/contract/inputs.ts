/** The part of JSON Schema that the contract uses. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  minLength?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  examples?: unknown[];
}

/** The contract's example of a picture's key. */
export const KEY = 'b7Rk2mQx9LpT';

/** Texts that have broken servers: injections, traversals, control characters, other scripts, very long ones. */
export const HOSTILE: readonly string[] = [
  `'; drop table images; --`,
  '../../../etc/passwd',
  '..%5c..%5cwindows',
  '\u0000\u0001\u001f',
  '<img src=x onerror=alert(1)>',
  '‮gnp.exe',
  '𝕏'.repeat(3000),
  '#{7*7}',
  '__proto__',
  '-1',
  '1e400',
  '9999999999999999999',
  'NaN',
];

/** The plainest value that matches the schema. */
export function good(schema: Schema): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const option = (schema.anyOf ?? schema.oneOf)?.[0];
  if (option) return good(option);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => good(part)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, good(property)]));
    case 'array':
      return [good(schema.items ?? {})];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return goodText(schema);
  }
}

function goodText({ format, pattern, minLength = 0 }: Schema): string {
  if (format === 'email') return `user${Math.random().toString(36).slice(2)}@example.org`;
  if (format === 'uri' || format === 'url') return 'https://example.org/';
  if (format === 'date-time') return '2026-01-02T03:04:05Z';
  if (format === 'date') return '2026-01-02';
  const length = /\{(\d+)(?:,\d*)?\}\$?$/.exec(pattern ?? '')?.[1];
  return 'a1B2c3D4e5F6g7H8'.repeat(8).slice(0, Math.max(minLength, Number(length ?? 0), 6));
}

/** A value of another type than the schema requires. */
export function wrongTyped(schema: Schema): unknown {
  if (schema.type === 'object') return Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, { wrong: [1] }]));
  return { wrong: [1] };
}

/** The good value with the hostile text in place of every string. */
export function hostile(schema: Schema, text: string): unknown {
  if (schema.type === 'object') {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, hostile(property, text)]));
  }
  if (schema.type === 'array') return [hostile(schema.items ?? {}, text), text];
  return text;
}
