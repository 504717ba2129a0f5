/** The part of s3rver that the tests use; the package has no types. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface GetOptions {
    start?: number;
    end?: number;
  }

  export default class S3rver {
    constructor(options: {
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
      allowMismatchedSignatures?: boolean;
    });
    store: { getObject(bucket: string, key: string, options?: GetOptions): Promise<unknown> };
    configureBuckets(): Promise<unknown>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
