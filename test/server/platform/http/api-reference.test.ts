import { expect, it } from 'vitest';
import { fieldsOf, sampleOf, typeName } from '#server/platform/http/reference/schema.ts';
import { startTestService } from '#test/helpers/service/service.ts';

it('shows authentication first, then an example and tables of fields for every operation, without schemas or scripts', async () => {
  await using service = await startTestService();
  const page = await (await fetch(`${service.url}/docs/api`)).text();
  // What the contract marks as code is shown as code.
  expect(page).toContain('<code>expires_in: 0</code> ends it');
  expect(page.replace(/<pre>.*?<\/pre>/gs, '')).not.toContain('`');
  const { paths } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as { paths: Record<string, Record<string, object>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
  expect(page.match(/<div class="operation"/g)).toHaveLength(operations.length);
  expect(page.match(/<h4>Example<\/h4><pre>curl /g)).toHaveLength(operations.length);
  const first = page.indexOf('id="authentication"');
  expect(first).toBeGreaterThan(0);
  expect(page.indexOf('<details>')).toBeGreaterThan(first);
  expect(page).toContain('-H &quot;Authorization: Bearer $TOKEN&quot;');
  expect(page).toContain('-F file=@photo.jpg');
  expect(page).toContain('<code>links.url</code>');
  expect(page).toContain('<code>items[].key</code>');
  expect(page).not.toMatch(/<script|\^\(\?|&quot;pattern&quot;|\\d\{4\}/);
});

it('groups operations under the names that the pages use, each once', async () => {
  await using service = await startTestService();
  const page = await (await fetch(`${service.url}/docs/api`)).text();
  const headings = [...page.matchAll(/<section id="([^"]+)"><h2>([^<]+)/g)].map(([, id, title]) => ({ id, title }));
  expect(new Set(headings.map(({ id }) => id)).size).toBe(headings.length);
  const titles = headings.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Request links', 'Custom addresses', 'Pictures', 'Account', 'Administration']));
  // A path’s first segment alone, such as `r` or `slugs`, means nothing to readers.
  expect(titles.filter((title) => /^(.{1,2}|Slugs|Images|User|Admin|Device|Phone|Requests)$/.test(title ?? ''))).toEqual([]);
});

it('wraps examples, so that only tables scroll sideways, which the keyboard reaches', async () => {
  await using service = await startTestService();
  const page = await (await fetch(`${service.url}/docs/api`)).text();
  expect(page).toMatch(/[}\n]code,pre\{[^}]*\}pre\{[^}]*white-space:pre-wrap/);
  expect(page.match(/overflow(-x)?:auto/g)).toHaveLength(2); // the tables and the contents, which are links
  expect(page).not.toContain('<div class="scroll">');
});

it('names types in words', () => {
  expect(typeName({ type: 'string', format: 'date-time' })).toBe('timestamp');
  expect(typeName({ type: 'integer', minimum: 1, maximum: 200 })).toBe('integer, 1 to 200');
  expect(typeName({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBe('integer');
  expect(typeName({ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] })).toBe('string, up to 5 characters, or null');
  expect(typeName({ enum: ['public', 'private'] })).toBe('public or private');
  expect(typeName({ type: 'array', items: { type: 'string' } })).toBe('list of strings');
  expect(typeName({ type: ['string', 'null'] })).toBe('string or null');
  expect(typeName({ anyOf: [{ enum: ['jpg', 'png'] }, { type: 'null' }] })).toBe('jpg, png or null');
  expect(typeName({ type: 'array', items: { type: ['string', 'null'] } })).toBe('list of strings or nulls');
  expect(typeName({ type: 'array', items: { type: 'string', maxLength: 50 }, maxItems: 20 })).toBe(
    'list of strings (up to 50 characters), up to 20 items',
  );
});

it('lists the fields of objects in objects and lists', () => {
  const schema = {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { key: { type: 'string', description: 'In every link' } } } },
      links: { type: 'object', properties: { url: { type: 'string' } } },
    },
  };
  expect(fieldsOf(schema).map(({ name, required, description }) => [name, required, description])).toEqual([
    ['items', true, ''],
    ['items[].key', false, 'In every link'],
    ['links', false, ''],
    ['links.url', false, ''],
  ]);
});

it('makes up a value for an example from what the schema says', () => {
  expect(
    sampleOf({
      type: 'object',
      required: ['name', 'scope', 'count', 'at'],
      properties: {
        name: { type: 'string' },
        scope: { enum: ['upload', 'full'] },
        count: { type: 'integer', minimum: 3 },
        at: { type: 'string', format: 'date-time' },
        left: { type: 'string' },
      },
    }),
  ).toEqual({ name: 'Holiday', scope: 'upload', count: 3, at: '2026-11-22T12:00:00Z' });
});

it('documents the data of every error', async () => {
  await using service = await startTestService();
  const { components } = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  expect(components.schemas.Error.properties.data).toMatchObject({
    required: ['code', 'retry'],
    properties: { retry: { enum: ['never', 'later', 'new_key'] }, retry_after: { type: 'integer' } },
  });
});

it('documents for every route with a body that other content types are rejected', async () => {
  await using service = await startTestService();
  const { paths } = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  const operations = Object.values(paths as Record<string, Record<string, { requestBody?: object; responses: Record<string, object> }>>);
  const [withBody, without] = [true, false].map((has) =>
    operations.flatMap(Object.values).filter(({ requestBody }) => has === Boolean(requestBody)),
  );
  expect(withBody?.length).toBeGreaterThan(20);
  expect(withBody?.filter(({ responses }) => !responses['415'])).toEqual([]);
  expect(without?.filter(({ responses }) => responses['415'])).toEqual([]);
});
