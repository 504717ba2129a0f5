import { setUp, startTestService } from '#test/helpers/service/service.ts';

/** A service, its owner, and an environment in which the command line uploads there with the owner's token. */
export async function startWithToken(scope: 'upload' | 'full') {
  const service = await startTestService();
  const owner = await setUp(service);
  return { service, owner, env: { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token(scope) } };
}
