import type { StorageProblem } from '#api/errors.ts';

/** Why a bucket can't be used. */
export const storageProblems = {
  storage_name: 'No server with this name was found. Check the address for typing errors.',
  storage_connection: 'The server doesn’t accept connections. Check the address and port, and that the object store is running.',
  storage_timeout: 'The server didn’t respond in time. Check the address, and whether a firewall is in between.',
  storage_certificate: 'A secure connection couldn’t be made. Check the server’s certificate, or whether it uses http.',
  storage_not_s3: 'The server responds, but not as an S3-compatible object store. Enter the address of its S3 interface.',
  storage_region: 'The bucket isn’t in this region, or the endpoint is for another region.',
  storage_access_key: 'The object store doesn’t know this access key ID.',
  storage_secret_key: 'The secret access key is wrong.',
  storage_bucket: 'There’s no such bucket. Create it first, and check “Path-style addresses”.',
  storage_denied_list: 'This access key isn’t allowed to list the bucket (s3:ListBucket). Change its permissions in the object store.',
  storage_denied_write: 'This access key isn’t allowed to store objects (s3:PutObject). Change its permissions in the object store.',
  storage_denied_read: 'This access key isn’t allowed to read objects (s3:GetObject). Change its permissions in the object store.',
  storage_denied_delete: 'This access key isn’t allowed to delete objects (s3:DeleteObject). Change its permissions in the object store.',
  storage_clock: 'The clocks of this server and the object store differ too much. Correct this server’s time.',
  storage_full: 'The object store is full, or the bucket has reached its quota.',
  storage_failed: 'The object store reported a fault. Try again later, and check its log.',
  storage_not_empty: 'The bucket already contains objects below this prefix. Enter another prefix, or use an empty bucket.',
  storage_other: 'This isn’t the place where this policy’s pictures are stored. Enter the endpoint of the same object store.',
  storage_taken: 'Another storage policy already uses this bucket and prefix. Enter another prefix.',
} as const satisfies Record<StorageProblem, string>;

/** The administration of buckets. */
export const storage = {
  where: 'Store pictures in',
  local: 'A folder on the server',
  s3: 'An S3 bucket',
  inBucket: 'S3 bucket',
  endpoint: 'Endpoint',
  endpointHint: 'The address of the S3 interface. It can be in your own network.',
  region: 'Region',
  bucket: 'Bucket',
  prefix: 'Prefix',
  fixedHint: 'You can’t change the bucket and prefix later.',
  pathStyle: 'Path-style addresses',
  pathStyleHint: 'Most object stores other than Amazon S3 need this.',
  accessKey: 'Access key ID',
  secretKey: 'Secret access key',
  secretKept: 'Stored encrypted. Leave it as it is to keep it.',
  showSecret: 'Show the secret access key',
  publicUrl: 'CDN address',
  publicUrlHint:
    'Optional. Direct links to public pictures redirect here, so the CDN must let anyone read the objects below the prefix. Once someone has opened a picture, they can still open it at the CDN after it’s made private.',
  move: 'Move pictures…',
  moveOne: 'Move the pictures of {{name}}',
  moveTitle: 'Move the pictures of {{name}}',
  moveText:
    'All pictures move in the background, including those in the trash. Their links keep working. New uploads go where the groups’ settings say.',
  moveTo: 'Move to',
  moveStart: 'Move pictures',
  moveStop: 'Stop',
  moving: 'Moving to {{name}}: {{done}} of {{total}} files',
  moveFault: 'The move isn’t getting on at the moment: one of the storages can’t be used. Pixdock keeps trying.',
  test: 'Test connection',
  works: 'The connection works: a test object was stored, read and deleted in {{ms}} ms.',
} as const;
