import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { StorageProblem } from '#api/errors.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { BlobMissingError, type ByteRange } from '../driver.ts';
import type { Bucket } from './bucket.ts';
import { type FaultReason, StorageFault } from './fault.ts';
import { rootOf, type S3Access } from './settings.ts';

/** Below the prefix: marks the place as that of one policy, under whatever address it is reached. */
export const MARKER = '.pixdock';

/** Below the prefix: an object of a check, which is left behind when the process ends in the middle. */
const PROBE = 'pixdock-test-';

type Step = 'list' | 'write' | 'read' | 'delete';

/** What an access key lacks when a step is denied. */
const RIGHT: Record<Step, string> = {
  list: 'list the bucket (s3:ListBucket)',
  write: 'store objects (s3:PutObject)',
  read: 'read objects (s3:GetObject)',
  delete: 'delete objects (s3:DeleteObject)',
};

/** Of what an object contains that Pixdock has made for itself. */
const MAX_SMALL_BYTES = 1024;

/** @throws StorageFault for larger objects, which aren't Pixdock's */
async function readSmall(bucket: Bucket, key: string, range?: ByteRange): Promise<Buffer> {
  const { size, body } = await bucket.get(key, range);
  if (size <= MAX_SMALL_BYTES) return buffer(body);
  body.destroy();
  throw new StorageFault('not_s3', 'returns different bytes');
}

/** Does everything that storing pictures needs, with one small object. @throws StorageFault */
export async function probeBucket(bucket: Bucket, root: string, onStep: (step: Step) => void = () => undefined): Promise<void> {
  const key = `${root}${PROBE}${randomUUID()}`;
  const bytes = Buffer.from('Pixdock checks whether it can use this bucket.');
  onStep('list');
  for await (const _ of bucket.list(root)) break;
  onStep('write');
  await bucket.putBytes(key, bytes);
  try {
    onStep('read');
    const whole = await readSmall(bucket, key);
    const part = await readSmall(bucket, key, { start: 3, end: 9 });
    if (!whole.equals(bytes) || !part.equals(bytes.subarray(3, 10))) throw new StorageFault('not_s3', 'returns different bytes');
    if (await bucket.has(`${key}-missing`)) throw new StorageFault('not_s3', 'lists what isn’t there');
  } finally {
    onStep('delete');
    await bucket.delete(key);
  }
}

/**
 * The same for admins.
 * @param marker what the marker of the policy's place contains; undefined: the place must be free
 * @throws RequestError `storage_unreachable` with the reason in a sentence, and the field to correct
 */
export async function testBucket(bucket: Bucket, access: S3Access, marker: string | undefined): Promise<void> {
  let step: Step = 'list';
  const root = rootOf(access);
  try {
    await probeBucket(bucket, root, (next) => {
      step = next;
    });
    if (marker === undefined) await requireFree(bucket, access, root);
    else if ((await readMarker(bucket, root)) !== marker) throw otherPlace();
  } catch (error) {
    if (error instanceof BlobMissingError)
      throw unreachable('storage_not_s3', 'The bucket doesn’t return what was just stored.', 'endpoint', error);
    if (!(error instanceof StorageFault)) throw error;
    const [sentence, field] = explain(error, step, access);
    throw unreachable(error.reason === 'denied' ? `storage_denied_${step}` : `storage_${error.reason}`, sentence, field, error);
  }
}

async function requireFree(bucket: Bucket, access: S3Access, root: string) {
  for await (const key of bucket.list(root)) if (!key.startsWith(`${root}${PROBE}`)) throw notEmpty(access);
  // A policy above the prefix would take these objects for strays.
  for (let above = access.prefix; above !== ''; ) {
    above = above.slice(0, Math.max(above.lastIndexOf('/'), 0));
    if ((await readMarker(bucket, above === '' ? '' : `${above}/`)) !== undefined) throw notEmpty(access);
  }
}

/** Undefined when there is none, or the access key isn't allowed to read there. */
export async function readMarker(bucket: Bucket, root: string): Promise<string | undefined> {
  try {
    return (await readSmall(bucket, `${root}${MARKER}`)).toString();
  } catch (error) {
    if (error instanceof BlobMissingError || (error instanceof StorageFault && error.reason === 'denied')) return undefined;
    throw error;
  }
}

const unreachable = (problem: StorageProblem, sentence: string, field: keyof S3Access, cause?: unknown) =>
  Object.assign(new RequestError('storage_unreachable', sentence, { field: `config.${field}`, problem }), { cause });

const otherPlace = () =>
  unreachable('storage_other', 'This policy’s pictures are stored elsewhere. Enter an endpoint of the same object store.', 'endpoint');

export const notEmpty = ({ prefix, bucket }: S3Access) =>
  unreachable(
    'storage_not_empty',
    prefix === ''
      ? `The bucket ${bucket} isn’t empty. Enter a prefix for Pixdock’s objects, or use an empty bucket.`
      : `The bucket ${bucket} already has objects under ${prefix}/. Enter another prefix.`,
    'prefix',
  );

function explain({ reason, detail }: StorageFault, step: Step, access: S3Access): [sentence: string, field: keyof S3Access] {
  const { host } = new URL(access.endpoint);
  const sentences: Record<FaultReason, [string, keyof S3Access]> = {
    name: [`No server with the name ${host} was found. Check the endpoint for typing errors.`, 'endpoint'],
    connection: [
      `${host} isn’t accepting connections. Check the endpoint’s address and port, and that the object store is running.`,
      'endpoint',
    ],
    timeout: [`${host} didn’t respond in time. Check the endpoint, and whether a firewall is blocking the connection.`, 'endpoint'],
    certificate: [
      `A secure connection to ${host} couldn’t be made (${detail}). Check the server’s certificate, and whether the server uses http.`,
      'endpoint',
    ],
    not_s3: [`${host} responds, but not as an S3-compatible object store (${detail}). Enter the address of its S3 interface.`, 'endpoint'],
    region: [`The bucket isn’t in the region ${access.region}, or this endpoint is for another region.`, 'region'],
    access_key: ['The object store doesn’t recognise this access key ID.', 'access_key_id'],
    secret_key: ['The secret access key is wrong.', 'secret_access_key'],
    bucket: [`The bucket ${access.bucket} doesn’t exist. Create it first, and check “Path-style addresses”.`, 'bucket'],
    denied: [`This access key isn’t allowed to ${RIGHT[step]}. Change its permissions in the object store.`, 'access_key_id'],
    clock: ['The clocks of this server and the object store differ too much. Correct this server’s time.', 'endpoint'],
    full: ['The object store is full, or the bucket has reached its quota.', 'bucket'],
    failed: [`The object store reported an error (${detail}). Try again later, and check its log.`, 'endpoint'],
  };
  return sentences[reason];
}
