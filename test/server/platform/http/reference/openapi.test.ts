import { expect, it } from 'vitest';
import { startTestService } from '#test/helpers/service/service.ts';

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
