import { afterAll } from 'vitest';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import { type SignedIn, setUp, startTestService, type TestService } from './service.ts';

/** Starts one service for all tests of a file, with its owner signed in, and disposes of it afterwards. */
export async function startFileService(options?: Partial<ServiceConfig>): Promise<{ service: TestService; owner: SignedIn }> {
  const service = await startTestService(options);
  afterAll(() => service[Symbol.asyncDispose]());
  return { service, owner: await setUp(service) };
}
