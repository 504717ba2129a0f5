import { RequestError } from '#server/platform/base/errors.ts';

/** The reasons why a bucket can't be used that admins can act on. */
export type FaultReason =
  | 'name'
  | 'connection'
  | 'timeout'
  | 'certificate'
  | 'not_s3'
  | 'region'
  | 'access_key'
  | 'secret_key'
  | 'bucket'
  | 'denied'
  | 'clock'
  | 'full'
  | 'failed';

const RETRY_AFTER_SECONDS = 30;

/** A bucket can't be used: to clients of pictures a 503 or 507, to admins a sentence with the reason. */
export class StorageFault extends RequestError {
  override name = 'StorageFault';
  readonly reason: FaultReason;
  /** The code of the object store or the system. */
  readonly detail: string;
  /** Whether the object store itself has refused the request, which it then doesn't complete later. */
  isRefusal = false;

  constructor(reason: FaultReason, detail: string, cause?: unknown) {
    if (reason === 'full') super('storage_full', 'The object store is full, so nothing was stored. Free up space and try again.');
    else
      super('unavailable', 'The storage for these pictures isn’t available at the moment. Try again in a minute.', {
        retry_after: RETRY_AFTER_SECONDS,
      });
    this.reason = reason;
    this.detail = detail;
    this.cause = cause;
  }
}

const OF_CODE: Record<string, FaultReason> = {
  AuthorizationHeaderMalformed: 'region',
  AuthorizationQueryParametersError: 'region',
  PermanentRedirect: 'region',
  TemporaryRedirect: 'region',
  IllegalLocationConstraintException: 'region',
  InvalidRegion: 'region',
  InvalidAccessKeyId: 'access_key',
  SignatureDoesNotMatch: 'secret_key',
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  RequestTimeTooSkewed: 'clock',
  ExpiredToken: 'clock',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  XMinioStorageFull: 'full',
  EntityTooLarge: 'full',
};

/** The fault that a refusal of the object store means. @param code from the response's XML: empty if a body has none, undefined without a body */
export function faultOfResponse(status: number, code: string | undefined): StorageFault {
  // Only object stores send codes in XML; a gateway in front of one may refuse in another form, and let the request complete.
  return Object.assign(faultOfCode(status, code), { isRefusal: Boolean(code) });
}

function faultOfCode(status: number, code: string | undefined): StorageFault {
  const known = OF_CODE[code ?? ''] ?? (status === 301 || status === 307 ? 'region' : status === 507 ? 'full' : undefined);
  if (known) return new StorageFault(known, code || String(status));
  if (!code && status < 500 && (status !== 403 || code === '')) return new StorageFault('not_s3', String(status));
  return new StorageFault(status === 403 ? 'denied' : 'failed', code || String(status));
}

/** The fault that a failed request means. Other errors are returned unchanged. */
export function faultOf(error: unknown): unknown {
  if (error instanceof StorageFault) return error;
  const {
    code = '',
    cause,
    statusCode,
    name,
  } = error as {
    code?: string;
    cause?: unknown;
    statusCode?: number;
    name?: string;
  };
  if (typeof statusCode === 'number' && name === 'ServerError')
    return faultOfResponse(statusCode, code === 'UnrecognizedError' ? '' : code);
  const reason = reasonOfSystem(String(code), name);
  if (reason) return new StorageFault(reason, String(code || name), error);
  // A port that `fetch` never connects to.
  if (error instanceof Error && error.message === 'bad port') return new StorageFault('connection', error.message, error);
  if (cause === undefined) return error;
  const fault = faultOf(cause);
  return fault instanceof StorageFault ? fault : error;
}

function reasonOfSystem(code: string, name = ''): FaultReason | undefined {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'].includes(code)) return 'name';
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code) || code === 'ETIMEDOUT' || name === 'TimeoutError') return 'timeout';
  if (/CERT|SELF_SIGNED|UNABLE_TO|^ERR_SSL|^ERR_TLS|^EPROTO/.test(code)) return 'certificate';
  if (/^ECONN|^EHOST|^ENET|^EPIPE$|^UND_ERR_SOCKET$|^EADDRNOTAVAIL$/.test(code)) return 'connection';
  if (/^HPE_|^UND_ERR_RES/.test(code)) return 'not_s3';
  return undefined;
}
