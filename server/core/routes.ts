import express, { type IRouter, type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { Route, RouteData, RouteParsed } from '#api/contract.ts';
import type { Actor } from '#server/core/accounts/actor.ts';
import { authorize, callerOf } from '#server/core/accounts/authorize.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { Caller, Database } from '#server/platform/db/database.ts';
import { sendData } from '#server/platform/http/errors/envelope.ts';
import { problemOf } from '#server/platform/http/errors/field-problem.ts';
import { sentenceOf } from '#server/platform/http/errors/field-sentence.ts';
import { isUnchanged } from '#server/platform/http/headers/conditions.ts';
import { whileArriving } from '#server/platform/http/limits/bodies.ts';

/** A handler's input: the caller, and the parts of the request, parsed as the contract describes them. */
export interface Call<R extends Route> {
  actor: Actor;
  /** The same, as the author of what the handler writes. */
  caller: Caller;
  params: RouteParsed<R, 'params'>;
  query: RouteParsed<R, 'query'>;
  headers: RouteParsed<R, 'headers'>;
  body: RouteParsed<R, 'body'>;
  request: Request;
  response: Response;
}

/** A route of the contract with the code that serves it. */
export interface BoundRoute {
  route: Route;
  handler: RequestHandler;
}

/** Anyone may send these: no open route needs more. */
const parseOpenJson = express.json({ limit: 64 * 1024, strict: true });
const parseJson = express.json({ limit: 1024 * 1024, strict: true });

/** What the caller of a request is known by, in the locals of its response. */
interface Locals {
  actor: Actor;
  db: Database;
}

/**
 * Binds a JSON route to its handler, which checks further access where needed, makes one call and presents the result. Only what is durable is
 * acknowledged, also where the handler has merely found that nothing needs to be done.
 */
export function bind<R extends Route>(route: R, handle: (call: Call<R>) => Promise<RouteData<R>>): BoundRoute {
  return {
    route,
    handler: async (request, response) => {
      const data = await handle(await readCall(route, request, response));
      if (route.method !== 'GET') await (response.locals as Locals).db.durable();
      await send(response, data);
    },
  };
}

/** What stands for cursors, in one place for all routes. */
const opaqueOf = ({ app }: Response) => app.locals.opaque as Opaque;

const send = async <Data>(response: Response, data: Data) => sendData(response, await opaqueOf(response).withCursors(data));

/**
 * Binds a JSON route whose response the client may keep and have validated.
 * @param tagOf identifies the version of the response, at little cost; it must differ between callers
 */
export function bindTagged<R extends Route>(
  route: R,
  tagOf: (call: Call<R>) => Promise<string>,
  handle: (call: Call<R>) => Promise<RouteData<R>>,
): BoundRoute {
  return {
    route,
    handler: async (request, response) => {
      const call = await readCall(route, request, response);
      const etag = `"${await tagOf(call)}"`;
      response.setHeader('Cache-Control', 'private, no-cache');
      // Weak, since it is the same for every encoding of the response.
      response.setHeader('ETag', `W/${etag}`);
      if (isUnchanged(request, { etag })) response.status(304).end();
      else await send(response, await handle(call));
    },
  };
}

/** Binds a route that responds with a file: the handler writes the response. */
export function bindBinary<R extends Route & { binary: string }>(route: R, handle: (call: Call<R>) => Promise<void>): BoundRoute {
  return { route, handler: async (request, response) => handle(await readCall(route, request, response)) };
}

/** Binds a route that redirects the browser: the handler returns the address. */
export function bindRedirect<R extends Route & { redirects: true }>(route: R, handle: (call: Call<R>) => Promise<string>): BoundRoute {
  return { route, handler: async (request, response) => response.redirect(302, await handle(await readCall(route, request, response))) };
}

/** Authorises the caller and parses the request. */
async function readCall<R extends Route>(route: R, request: Request, response: Response): Promise<Call<R>> {
  const { actor, db } = response.locals as Locals;
  authorize(route, actor);
  const caller = callerOf(route, actor);
  const params = parsePart(route.params, request.params);
  const query = opaqueOf(response).readCursors(parsePart(route.query, singleValues(request.query)));
  const headers = parsePart(route.headers, request.headers);
  const json = route.body && !route.multipart ? await readJson(route, request, response) : undefined;
  // Units of writing check it again, but not everything writes to the database, such as a test of a connection.
  if (json !== undefined) await caller.confirm(db.read);
  const body = route.multipart ? undefined : parsePart(route.body, json);
  response.setHeader('Cache-Control', 'no-store');
  return { actor, caller, params, query, headers, body, request, response } as Call<R>;
}

/** A router of all routes; a known path with another method responds with 405. */
export function createApiRouter(routes: BoundRoute[]): IRouter {
  const router = Router({ caseSensitive: true, strict: false });
  const methods = new Map<string, string[]>();
  for (const { route, handler } of routes) {
    const { path, method } = route;
    router[method.toLowerCase() as Lowercase<Route['method']>](path, handler);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, allowed] of methods) router.all(path, refuseMethod(allowed));
  return router;
}

/** The methods of a read-only address. */
export const READING = ['GET', 'HEAD'];

/** Responds with 405 and the allowed methods. */
export function refuseMethod(allowed: string[]): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    throw new RequestError('method_not_allowed', `${request.method} isn’t supported here. Supported: ${allowed.join(', ')}.`);
  };
}

/**
 * Checks one part of a request.
 * @throws InvalidRequestError that names the first wrong field
 */
export function parsePart<S extends z.ZodType>(schema: S, value: unknown): z.output<S>;
export function parsePart<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> | undefined;
export function parsePart<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> | undefined {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { error: sentenceOf });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new InvalidRequestError(
    field ? `The field “${field}” isn’t valid: ${issue?.message}.` : `The request isn’t valid: ${issue?.message}.`,
    issue && field ? { field, ...problemOf(issue) } : {},
  );
}

async function readJson({ access }: Route, request: Request, response: Response): Promise<unknown> {
  if (!request.is('application/json'))
    throw new RequestError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  const parse = access === 'open' ? parseOpenJson : parseJson;
  const read = new Promise<void>((resolve, reject) => parse(request, response, (error) => (error ? reject(error) : resolve())));
  await whileArriving(response, read);
  return request.body;
}

/** No parameter is a list, so none may be repeated. */
function singleValues(query: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new InvalidRequestError(`Specify the parameter “${name}” only once.`, { field: name });
  }
  return query;
}
