import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import type { Route } from '#api/contract.ts';
import { BODY_ERRORS, COMMON_ERRORS, ERROR_STATUS, RETRY_ADVICE } from '#api/errors.ts';

/** The OpenAPI 3.1 document of the given routes, derived from the schemas that validate requests. */
export function describeApi(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `${API_PREFIX}${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pixdock',
      version,
      description: 'Upload, link and share pictures. Every JSON response has the envelope {status, message, data}.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token from Settings → API tokens' },
        session: { type: 'apiKey', in: 'cookie', name: 'pixdock_session' },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
    paths,
  };
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['status', 'message', 'data'],
  properties: {
    status: { const: false },
    message: { type: 'string', description: 'A sentence that users can act on' },
    data: {
      type: 'object',
      required: ['code', 'retry'],
      properties: {
        code: { enum: Object.keys(ERROR_STATUS) },
        retry: {
          enum: RETRY_ADVICE,
          description: 'Whether to send the same request again: never, later, or as a new upload with another `Idempotency-Key`',
        },
        retry_after: { type: 'integer', description: 'Seconds until another attempt makes sense, where known' },
      },
    },
  },
};

function describeRoute(route: Route) {
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [tagOf(route)],
    security: security(route),
    parameters: [
      ...describeParameters('path', route.params),
      ...describeParameters('query', route.query),
      ...describeParameters('header', route.headers),
    ],
    ...(route.body && { requestBody: describeBody(route) }),
    responses: { ...(route.redirects ? REDIRECT : { 200: describeSuccess(route) }), ...describeErrors(route) },
  };
}

const REDIRECT = { 302: { description: 'A redirect to the address in `Location`' } };

/** Headings for paths whose first segment is terse, or isn’t what the pages call it. */
const TAGS: Record<string, string> = {
  s: 'shares',
  sent: 'sending',
  a: 'public albums',
  r: 'request links',
  requests: 'request links',
  admin: 'administration',
  auth: 'sign-in',
  config: 'configuration',
  delete: 'deletion links',
  device: 'devices',
  images: 'pictures',
  phone: 'phones',
  slugs: 'custom addresses',
  user: 'account',
};

function tagOf({ path }: Route): string {
  const [, first = ''] = path.split('/');
  return TAGS[first] ?? first;
}

function operationId(route: Route) {
  const words = route.path.split(/[/:-]/).filter(Boolean);
  return [route.method.toLowerCase(), ...words].map((word, index) => (index ? word[0]?.toUpperCase() + word.slice(1) : word)).join('');
}

function security(route: Route) {
  const both = [{ token: [] }, { session: [] }];
  if (route.access === 'open') return [...both, {}];
  return route.access === 'user' || route.metricsScope ? both : [{ session: [] }];
}

function describeParameters(where: 'path' | 'query' | 'header', schema: z.ZodType | undefined) {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as { properties?: Record<string, object>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name: where === 'header' ? capitalise(name) : name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

/** The usual spelling of a header's name; HTTP ignores case. */
const capitalise = (header: string) => header.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

function describeBody(route: Route) {
  const schema = toJsonSchema(route.body as z.ZodType, 'input') as { properties?: object };
  if (!route.multipart) return { required: true, content: { 'application/json': { schema } } };
  const file = { type: 'string', format: 'binary', description: 'The picture or video' };
  const others = Object.entries(route.files ?? {}).map(([name, description]) => [name, { ...file, description }]);
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { ...schema, properties: { file, ...Object.fromEntries(others), ...schema.properties }, required: ['file'] },
      },
    },
  };
}

function describeSuccess(route: Route) {
  if (route.binary === 'text/event-stream')
    return { description: 'The events', content: { [route.binary]: { schema: { type: 'string' } } } };
  if (route.binary) return { description: 'The file', content: { [route.binary]: { schema: { type: 'string', format: 'binary' } } } };
  const data = route.data ? toJsonSchema(route.data, 'output') : {};
  const schema = {
    type: 'object',
    required: ['status', 'message', 'data'],
    properties: { status: { const: true }, message: { type: 'string' }, data },
  };
  return { description: 'Success', content: { 'application/json': { schema } } };
}

function describeErrors(route: Route) {
  const all = [...COMMON_ERRORS, ...(route.body ? BODY_ERRORS : []), ...(route.errors ?? [])];
  const byStatus = Map.groupBy(all, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: [...new Set(codes)].join(', '), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  );
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
