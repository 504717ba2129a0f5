import { describe, expect, test } from 'vitest';
import { ApiError, NetworkError, RedirectError } from '#api/client.ts';
import { ERROR_STATUS, type ErrorCode, type RetryAdvice } from '#api/errors.ts';
import { classify, type FailureClass, isOutage, retryAdvice } from '#api/failures.ts';

const OF_CODE: Record<ErrorCode, FailureClass> = {
  invalid_request: 'permanent',
  invalid_width: 'permanent',
  damaged_image: 'permanent',
  image_too_large: 'permanent',
  video_too_long: 'permanent',
  expires_over_group: 'permanent',
  max_views_over_group: 'permanent',
  album_not_found: 'permanent',
  policy_not_allowed: 'permanent',
  url_not_allowed: 'permanent',
  url_unreachable: 'wait',
  storage_unreachable: 'wait',
  unauthorized: 'permanent',
  password_required: 'permanent',
  wrong_password: 'permanent',
  wrong_code: 'permanent',
  guest_disabled: 'permanent',
  forbidden: 'permanent',
  sign_in_again: 'permanent',
  cross_site: 'permanent',
  hotlink_refused: 'permanent',
  thumbnail_withheld: 'permanent',
  not_found: 'permanent',
  method_not_allowed: 'permanent',
  request_timeout: 'retry',
  conflict: 'permanent',
  slug_taken: 'permanent',
  idempotency_conflict: 'new key',
  replaced: 'new key',
  deleted: 'new key',
  expired: 'permanent',
  view_limit_reached: 'permanent',
  request_closed: 'permanent',
  body_too_large: 'permanent',
  file_too_large: 'permanent',
  quota_exceeded: 'permanent',
  ext_not_allowed: 'permanent',
  heic_unsupported: 'permanent',
  unsupported_media_type: 'permanent',
  unknown_host: 'permanent',
  rate_limited: 'retry',
  internal: 'retry',
  unavailable: 'retry',
  storage_full: 'wait',
};
const ADVICE: Record<FailureClass, RetryAdvice> = { permanent: 'never', retry: 'later', wait: 'later', 'new key': 'new_key' };
const CODES = Object.entries(OF_CODE) as [ErrorCode, FailureClass][];

const refusal = (code: ErrorCode, retry?: RetryAdvice) => new ApiError(ERROR_STATUS[code], 'refused', { code, ...(retry && { retry }) });
const ofNewerService = (status: number, retry?: string) =>
  new ApiError(status, 'refused', { code: 'from_the_future', retry } as unknown as ApiError['details']);
const proxy = (status: number) => new NetworkError('not Pixdock', { status });
const caused = (code: string) => new NetworkError('no', { cause: Object.assign(new Error('no'), { code }) });

describe('an error code', () => {
  test('has a class, whichever it is', () => {
    expect(Object.keys(OF_CODE).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  });

  test.each(CODES)('%s is %s to clients of a service that doesn’t say', (code, found) => {
    expect(classify(refusal(code))).toBe(found);
  });

  test.each(CODES)('%s is %s to clients of this service', (code, found) => {
    expect(retryAdvice(code)).toBe(ADVICE[found]);
    expect(classify(refusal(code, retryAdvice(code)))).toBe(found);
  });
});

test.each([
  [refusal('internal', 'never'), 'permanent'],
  [refusal('storage_full', 'never'), 'permanent'],
  [refusal('quota_exceeded', 'later'), 'retry'],
  [refusal('conflict', 'new_key'), 'new key'],
  [ofNewerService(409, 'later'), 'retry'],
  [ofNewerService(507, 'later'), 'wait'],
  [ofNewerService(400, 'new_key'), 'new key'],
  [ofNewerService(422), 'permanent'],
  [ofNewerService(500, 'perhaps'), 'retry'],
] as const)('what the service says takes precedence over its code and status: %#', (error, found) => {
  expect(classify(error)).toBe(found);
});

test.each([
  [408, 'retry'],
  [413, 'permanent'],
  [429, 'retry'],
  [500, 'retry'],
  [502, 'retry'],
  [503, 'retry'],
  [504, 'retry'],
  [507, 'wait'],
  [200, 'wait'],
  [302, 'wait'],
  [403, 'wait'],
  [404, 'wait'],
] as const)('a response that isn’t Pixdock’s, with status %i, is %s', (status, found) => {
  expect(classify(proxy(status))).toBe(found);
});

test.each([
  ['a network failure', new NetworkError('Could not reach the service'), 'retry'],
  ['a reset connection', caused('ECONNRESET'), 'retry'],
  ['an invalid certificate', caused('CERT_HAS_EXPIRED'), 'wait'],
  ['a redirect', new RedirectError('https://pics.example.org/', 'http://pics.example.org'), 'wait'],
  ['a forbidden port', new NetworkError('no', { cause: new Error('bad port') }), 'wait'],
  ['a bug', new TypeError('oops'), 'permanent'],
] as const)('%s is %s', (_, error, found) => {
  expect(classify(error)).toBe(found);
});

test('an outage concerns every request', () => {
  for (const error of [caused('ECONNREFUSED'), proxy(502), proxy(504), refusal('unavailable')]) expect(isOutage(error)).toBe(true);
  for (const error of [proxy(429), proxy(507), refusal('rate_limited'), refusal('internal'), refusal('storage_full')])
    expect(isOutage(error)).toBe(false);
});
