import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_STATUS } from '#api/errors.ts';
import { textOf } from '#test/helpers/network/event-stream.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { good, HOSTILE, hostile, type Schema, wrongTyped } from './inputs.ts';

interface Operation {
  operationId: string;
  security: object[];
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

interface Known {
  method: string;
  path: string;
  operation: Operation;
  /** The declared schema of a successful response, where it is JSON. */
  success: z.ZodType | undefined;
}

/** The headers that authenticate a caller's requests. */
type Caller = Record<string, string>;

const ERROR = z.strictObject({
  status: z.literal(false),
  message: z.string().min(8),
  data: z.looseObject({ code: z.enum(Object.keys(ERROR_STATUS) as [keyof typeof ERROR_STATUS]) }),
});
const LEAKS = /SqliteError|SELECT |INSERT |\/server\/|node_modules|\.ts:\d+|\n {4}at /;

/** Operations that end the caller's session or token, or replace the service's data: the rest of the run would be meaningless. */
const ENDS_THE_RUN = /logout|backup|restore|\/user\/sessions|\/access$|\/user\/token$/i;

const { service, owner } = await startFileService();
const image = await uploadImage(service, await owner.token('upload'), await photoJpeg());
const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
const operations: Known[] = Object.entries(document.paths as Record<string, Record<string, Operation>>)
  .filter(([path]) => !ENDS_THE_RUN.test(path))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => known(method.toUpperCase(), path, operation)));

function known(method: string, path: string, operation: Operation): Known {
  const schema = operation.responses[200]?.content['application/json']?.schema;
  return { method, path, operation, success: schema && z.fromJSONSchema(schema as never) };
}

/** The address of an operation with its parameters filled in by `choose`. */
function address({ path, operation }: Known, choose: (schema: Schema, name: string) => unknown): string {
  const value = (where: string) => operation.parameters.filter((parameter) => parameter.in === where);
  const filled = value('path').reduce(
    (text, { name, schema }) => text.replace(`{${name}}`, encodeURIComponent(String(choose(schema, name)))),
    path,
  );
  const query = new URLSearchParams(value('query').map(({ name, schema }) => [name, String(choose(schema, name))]));
  return `${filled}${query.size ? `?${query}` : ''}`;
}

function bodyOf({ operation }: Known, make: (schema: Schema) => unknown): { body?: BodyInit; headers: Record<string, string> } {
  const json = operation.requestBody?.content['application/json'];
  if (json) return { body: JSON.stringify(make(json.schema)), headers: { 'content-type': 'application/json' } };
  const multipart = operation.requestBody?.content['multipart/form-data'];
  if (!multipart) return { headers: {} };
  const form = new FormData();
  const fields = make(multipart.schema);
  if (typeof fields === 'object' && fields !== null) for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return { body: form, headers: {} };
}

/** Sends a request and checks its response: no 500, the envelope, the declared schema, no leak. */
async function check(known: Known, url: string, caller: Caller, input: ReturnType<typeof bodyOf>): Promise<number> {
  const response = await fetch(`${service.url}${url}`, {
    method: known.method,
    redirect: 'manual',
    ...input,
    headers: { ...input.headers, ...caller },
  });
  const text = await textOf(response);
  const where = `${known.method} ${url.slice(0, 120)} → ${response.status} ${text.slice(0, 200)}`;
  expect(response.status, where).not.toBe(500);
  expect(LEAKS.test(text), where).toBe(false);
  if (response.status >= 300 && response.status < 400) return response.status;
  if (response.status >= 400) {
    const error = ERROR.parse(JSON.parse(text));
    expect(ERROR_STATUS[error.data.code], where).toBe(response.status);
    return response.status;
  }
  if (known.success) expect(known.success.safeParse(JSON.parse(text)).error?.issues, where).toBeUndefined();
  return response.status;
}

const goodChoice = (schema: Schema, name: string) => (name === 'key' ? image.key : (schema.default ?? good(schema)));

async function callers(): Promise<Record<string, Caller>> {
  const name = `u${Math.random().toString(36).slice(2, 10)}`;
  const other = await addUser(service, name);
  const admin = await addUser(service, `${name}-admin`, 'admin');
  return {
    guest: {},
    'upload token': { authorization: `Bearer ${await other.token('upload')}` },
    'full token': { authorization: `Bearer ${await other.token('full')}` },
    'another user': { cookie: other.cookie },
    admin: { cookie: admin.cookie },
  };
}

/** Ensures that refusals were due to the input, not to a caller who was signed out on the way. */
async function expectSignedIn(caller: Caller) {
  const session = await (await fetch(`${service.url}/api/v1/auth/session`, { headers: caller })).json();
  expect(session.data.user).not.toBeNull();
}

describe('every route of the OpenAPI document', () => {
  it('has an operation ID of its own', () => {
    expect(operations.length).toBeGreaterThan(60);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it.each(['guest', 'upload token', 'full token', 'another user', 'admin'])(
    'responds to %s within its contract, whatever the input',
    async (name) => {
      const caller = (await callers())[name] as Caller;
      for (const known of operations) {
        const url = address(known, goodChoice);
        await check(known, url, caller, bodyOf(known, good));
        await check(
          known,
          url,
          caller,
          bodyOf(known, () => ({})),
        );
        await check(known, url, caller, bodyOf(known, wrongTyped));
        await check(known, url, caller, {
          body: known.method === 'GET' ? undefined : '{"broken',
          headers: { 'content-type': 'application/json' },
        } as never);
      }
    },
  );

  // Each operation gets another text, or all of them.
  it.each(process.env.PIXDOCK_TEST_SLOW ? [...HOSTILE.keys()] : [0])('survives hostile text, from %i on', async (first) => {
    const { admin } = await callers();
    for (const [index, known] of operations.entries()) {
      const text = HOSTILE[(first + index) % HOSTILE.length] as string;
      await check(
        known,
        address(known, goodChoice),
        admin as Caller,
        bodyOf(known, (schema) => hostile(schema, text)),
      );
      await check(
        known,
        address(known, () => text.slice(0, 600)),
        admin as Caller,
        bodyOf(known, good),
      );
    }
    await expectSignedIn(admin as Caller);
  });

  it('refuses foreign origins, same-site requests and unknown session cookies', async () => {
    const { admin } = await callers();
    for (const known of operations.filter(({ method }) => method !== 'GET')) {
      const url = address(known, goodChoice);
      const input = bodyOf(known, good);
      expect(await check(known, url, { ...admin, origin: 'https://evil.example' }, input)).toBe(403);
      expect(await check(known, url, { ...admin, origin: 'null' }, bodyOf(known, good))).toBe(403);
      expect(await check(known, url, { ...admin, 'sec-fetch-site': 'same-site' }, bodyOf(known, good))).toBe(403);
      const dead = await check(known, url, { cookie: 'pixdock_session=dead' }, bodyOf(known, good));
      if (!known.operation.security.some((one) => Object.keys(one).length === 0)) expect(dead).toBe(401);
    }
  });
});
