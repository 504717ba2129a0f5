import { afterAll } from 'vitest';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { type SignedIn, setUp, startTestService, type TestService } from './service.ts';

/** Starts the service that all tests of a file share, with its owner signed in, and disposes of it after them. */
export async function startFileService(options?: Partial<ServiceConfig>): Promise<{ service: TestService; owner: SignedIn }> {
  const service = await startTestService(options);
  afterAll(() => service[Symbol.asyncDispose]());
  return { service, owner: await setUp(service) };
}
