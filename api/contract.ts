import { z } from 'zod';
import { MAX_PAGE } from './constants.ts';
import type { ErrorCode } from './errors.ts';
import { cleanLine, cleanText } from './plain-text.ts';

// The Content-Security-Policy forbids eval, which zod would otherwise use to compile its validators.
z.config({ jitless: true });

/**
 * Access to a route, checked before its handler runs:
 * `open` for anyone (the handler may check more), `user` for a session or a full token, `session` for a session only,
 * `admin` for the session of an admin, `owner` for that of the owner.
 */
export type Access = 'open' | 'user' | 'session' | 'admin' | 'owner';

type Shape = z.ZodType;

/** One route of the JSON API: the single source for validation, types, client and the OpenAPI document. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below {@link API_PREFIX}; parameters as `:name`. */
  path: string;
  access: Access;
  /** True if a token of scope `upload` is sufficient. */
  uploadScope?: true;
  /** True if a token of scope `device` is sufficient, beyond what `uploadScope` allows. */
  deviceScope?: true;
  /** True if an admin's token of scope `full` or `metrics` is sufficient, where otherwise only sessions are. */
  metricsScope?: true;
  summary: string;
  params?: Shape;
  query?: Shape;
  /** Request headers that the route reads, by their lower-case names. Clients pass them as `headers` of a call. */
  headers?: Shape;
  /** The JSON body, or the text fields of the form with `multipart`. */
  body?: Shape;
  /** The request is a form with one file in the field `file`. */
  multipart?: true;
  /** Fields with further files, and what they are for. */
  files?: Readonly<Record<string, string>>;
  /** The response's `data`; absent if the response is a file (`binary`) or a redirect. */
  data?: Shape;
  /** Media type of a response that is a file instead of the envelope. */
  binary?: string;
  /** The response is a redirect without content. */
  redirects?: true;
  /** Error codes beyond those of every route. */
  errors?: readonly ErrorCode[];
}

/** Declares a route; its exact type drives client and handler. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

type In<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer S extends Shape } ? { [P in K]: z.input<S> } : unknown;

/** The input of a route, as the caller passes it. */
export type RouteInput<R extends Route> = In<R, 'params'> & In<R, 'query'> & In<R, 'body'>;
/** The parsed input that a handler receives. */
export type RouteParsed<R extends Route, K extends 'params' | 'query' | 'headers' | 'body'> = R extends { [P in K]: infer S extends Shape }
  ? z.output<S>
  : undefined;
/** The `data` of a route's response. */
export type RouteData<R extends Route> = R extends { data: infer S extends Shape } ? z.output<S> : undefined;

/** Raw texts may be longer than what is left of them, but normalising many accents of one letter takes quadratic time. */
const MAX_RAW = 4_000;
const cleaned = (clean: (text: string) => string, min: number, max: number) =>
  z
    .string()
    .max(Math.max(max, Math.min(4 * max, MAX_RAW)))
    .overwrite(clean)
    .min(min)
    .max(max);

/**
 * A text of one line that people read: a name, a title, a note. It arrives without control characters, escape sequences, changes of direction and line breaks.
 * Every text of a request is this, {@link prose}, {@link asSent} or a pattern (`test/api/plain-text.test.ts`).
 */
export const line = (max: number, min = 0) => cleaned(cleanLine, min, max);
/** The same with several lines: a description or a message. */
export const prose = (max: number) => cleaned(cleanText, 0, max);

/** Marks texts that must stay as they are. */
export const AS_SENT = z.check<string>(() => undefined);
/** A text that is compared or used exactly as it is sent, and shown to nobody else: a password, an id, a path. */
export const asSent = (max?: number, min = 0) => {
  const text = z.string().check(AS_SENT);
  return max === undefined ? text : text.min(min).max(max);
};
/** The same without spaces around it: a code or an address that somebody types. */
export const typed = (max: number, min = 0) => z.string().check(AS_SENT).trim().min(min).max(max);

/** An image's key: 12 random letters and digits. */
export const imageKey = z
  .string()
  .regex(/^[0-9A-Za-z]{12}$/, 'it isn’t a picture key')
  .meta({ description: 'Picture key', examples: ['b7Rk2mQx9LpT'] });
/** An album's id: 10 random letters and digits. */
export const albumId = z
  .string()
  .regex(/^[0-9A-Za-z]{10}$/, 'it isn’t an album ID')
  .meta({ description: 'Album ID' });
/** The id of a request link, or of a picture that was sent through one: 22 random letters and digits. */
export const requestId = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/, 'it isn’t the ID of a request link')
  .meta({ description: 'ID of a request link' });
/** The id of pictures that one user has sent to others: 22 random letters and digits. */
export const sentId = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/, 'it isn’t the ID of pictures that were sent')
  .meta({ description: 'ID of what was sent' });
/** The id of something of one user's. It says nothing about how much there is of others', as a number would. */
export const opaqueId = asSent(100).meta({ description: 'Opaque ID' });
/** An instant, RFC 3339 in UTC. */
export const instant = z.iso.datetime();
/** A number of bytes, or another non-negative integer. */
export const count = z.int().min(0);

/** A place in a list, as long as the longest name in it makes it. */
export const cursor = asSent(2_000);

/** Query of every keyset-paginated list. */
export const pageQuery = z.object({
  cursor: cursor.optional().meta({ description: '`next_cursor` of the previous page' }),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
});

/** One page of a list; `next_cursor` is null on the last page. */
export function page<T extends Shape>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** The `data` of routes that return nothing. */
export const nothing = z.object({});
