import { startFileService } from '#test/helpers/service/file-service.ts';

/** A service for all tests of a file, its owner, and an environment in which the command line uploads there with the owner's token. */
export async function startWithToken(scope: 'upload' | 'full') {
  const { service, owner } = await startFileService();
  return { service, owner, env: { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await owner.token(scope) } };
}
