import type { StorageProblem } from '#api/errors.ts';

/** Why a bucket can't be used. */
export const storageProblems = {
  storage_name: 'No server with this name was found. Check the address for typing errors.',
  storage_connection: 'The server isn’t accepting connections. Check the address and port, and that the object store is running.',
  storage_timeout: 'The server didn’t respond in time. Check the address, and whether a firewall is blocking the connection.',
  storage_certificate: 'A secure connection couldn’t be made. Check the server’s certificate, and whether the server uses http.',
  storage_not_s3: 'The server responds, but not as an S3-compatible object store. Enter the address of its S3 interface.',
  storage_region: 'The bucket isn’t in this region, or the endpoint is for another region.',
  storage_access_key: 'The object store doesn’t recognise this access key ID.',
  storage_secret_key: 'The secret access key is wrong.',
  storage_bucket: 'There’s no such bucket. Create it first, and check “Path-style addresses”.',
  storage_denied_list: 'This access key isn’t allowed to list the bucket (s3:ListBucket). Change its permissions in the object store.',
  storage_denied_write: 'This access key isn’t allowed to store objects (s3:PutObject). Change its permissions in the object store.',
  storage_denied_read: 'This access key isn’t allowed to read objects (s3:GetObject). Change its permissions in the object store.',
  storage_denied_delete: 'This access key isn’t allowed to delete objects (s3:DeleteObject). Change its permissions in the object store.',
  storage_clock: 'The clocks of this server and the object store differ too much. Correct this server’s time.',
  storage_full: 'The object store is full, or the bucket has reached its quota.',
  storage_failed: 'The object store reported an error. Try again later, and check its log.',
  storage_not_empty: 'The bucket already contains objects under this prefix. Enter another prefix, or use an empty bucket.',
  storage_other: 'This policy’s pictures are stored elsewhere. Enter an endpoint of the same object store.',
  storage_taken: 'Another storage policy already uses this bucket and prefix. Enter another prefix.',
} as const satisfies Record<StorageProblem, string>;
