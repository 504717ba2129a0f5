/**
 * Every error code and its HTTP status. Programs rely on the codes: once published, a code keeps its meaning.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_width: 400,
  damaged_image: 400,
  image_too_large: 400,
  video_too_long: 400,
  expires_over_group: 400,
  max_views_over_group: 400,
  album_not_found: 400,
  policy_not_allowed: 400,
  url_not_allowed: 400,
  url_unreachable: 400,
  storage_unreachable: 400,
  unauthorized: 401,
  password_required: 401,
  wrong_password: 401,
  wrong_code: 401,
  guest_disabled: 403,
  forbidden: 403,
  sign_in_again: 403,
  cross_site: 403,
  hotlink_refused: 403,
  thumbnail_withheld: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  slug_taken: 409,
  idempotency_conflict: 409,
  replaced: 409,
  deleted: 410,
  expired: 410,
  view_limit_reached: 410,
  request_closed: 410,
  body_too_large: 413,
  file_too_large: 413,
  quota_exceeded: 413,
  ext_not_allowed: 415,
  heic_unsupported: 415,
  unsupported_media_type: 415,
  unknown_host: 421,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What every route may respond with, and what those with a body may. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'unknown_host',
  'internal',
  'unavailable',
];
export const BODY_ERRORS: readonly ErrorCode[] = ['unsupported_media_type', 'body_too_large', 'request_timeout', 'rate_limited'];

/** Whether to send a refused request again: not unchanged, after a while, or with another `Idempotency-Key`. */
export const RETRY_ADVICE = ['never', 'later', 'new_key'] as const;
export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** Why a bucket can't be used. */
export type StorageProblem =
  | 'storage_name'
  | 'storage_connection'
  | 'storage_timeout'
  | 'storage_certificate'
  | 'storage_not_s3'
  | 'storage_region'
  | 'storage_access_key'
  | 'storage_secret_key'
  | 'storage_bucket'
  | 'storage_denied_list'
  | 'storage_denied_write'
  | 'storage_denied_read'
  | 'storage_denied_delete'
  | 'storage_clock'
  | 'storage_full'
  | 'storage_failed'
  | 'storage_not_empty'
  | 'storage_other'
  | 'storage_taken';

/** Why a folder of the server can't be used. */
export type FolderProblem =
  | 'folder_not_absolute'
  | 'folder_in_use'
  | 'folder_not_empty'
  | 'folder_missing'
  | 'folder_denied'
  | 'folder_unusable';

/** Why an action isn't possible as things are. */
export type ConflictProblem =
  | 'policy_moving'
  | 'import_running'
  | 'token_needed'
  | 'policies_changed'
  | 'policy_in_use'
  | 'policy_not_empty'
  | 'group_built_in'
  | 'group_not_empty'
  | 'last_sign_in'
  | 'owner_without_password'
  | 'other_address'
  | 'backup_running'
  | 'backup_being_checked'
  | 'no_restore_here'
  | 'already_set_up'
  | 'passkeys_need_https'
  | 'passkey_known'
  | 'too_many_albums'
  | 'too_many_members'
  | 'too_many_requests'
  | 'too_many_passkeys'
  | 'no_password'
  | 'two_factor_off'
  | 'account_deleting'
  | 'heir_of_deletion';

/** Why a request link takes no pictures. */
export type ClosedReason = 'paused' | 'ended' | 'full' | 'quota';

/** The problem with a field. Like codes, these keep their meaning. */
export type FieldProblem =
  | StorageProblem
  | FolderProblem
  | 'missing'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_many'
  | 'not_number'
  | 'not_email'
  | 'bad_username'
  | 'username_taken'
  | 'email_taken'
  | 'weak_password'
  | 'not_web_address'
  | 'private_address'
  | 'not_origin'
  | 'insecure_issuer'
  | 'multi_tenant_issuer'
  | 'not_service_address'
  | 'not_domain'
  | 'not_tenant'
  | 'not_color'
  | 'animated'
  | 'not_host_or_network'
  | 'not_web_origin'
  | 'not_site'
  | 'own_address'
  | 'bad_bucket'
  | 'bad_prefix'
  | 'temporary_key'
  | 'needs_path_style'
  | 'default_over_maximum'
  | 'not_available'
  | 'empty_group'
  | 'own_name'
  | 'unknown_user'
  | 'in_the_past'
  | 'too_late'
  | 'no_policy'
  | 'took_too_long'
  | 'passkey_unverified';

/** The `data` of an error response. */
export interface ErrorDetails {
  code: ErrorCode;
  /** Services before 0.5 don't send it. */
  retry?: RetryAdvice;
  /** The invalid field of the request, as a dotted path. */
  field?: string;
  /** The problem with that field, or with what was requested, if it is a known one. */
  problem?: FieldProblem | ConflictProblem;
  /** Whom or what the problem is about: names or an address. */
  subject?: string;
  /** The field's minimum or maximum, if that is the problem. */
  limit?: number;
  /** The largest accepted file, or the full storage, in bytes. */
  max_bytes?: number;
  /** The longest accepted video, in seconds. */
  max_seconds?: number;
  /** Why a request link takes no pictures. */
  reason?: ClosedReason;
  /** What the link asked for, where this sender has used it while it was open. */
  request?: { title: string; message: string };
  /** True where the full storage is that of all guests together. */
  guests?: boolean;
  allowed_exts?: readonly string[];
  /** Whole seconds until another attempt makes sense. */
  retry_after?: number;
  /** Identifies the request in the server's log. */
  request_id?: string;
}
