import type { TestProject } from 'vitest/node';
import type { S3Access } from '#server/platform/storage/s3/settings.ts';
import { runObjectStore } from './run-object-store.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The bucket in which services on PostgreSQL store pictures; undefined: in their data folders. */
    bucket: S3Access | undefined;
  }
}

/** Starts one S3 server for all tests of a run. */
export default async function setup(project: TestProject) {
  const store = await runObjectStore();
  project.provide('bucket', store.access);
  return () => store[Symbol.asyncDispose]();
}
