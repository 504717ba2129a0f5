import { DAY } from './durations.ts';
import { formatsWith } from './formats.ts';

/** Values of the contract for programs that don't load its schemas, such as the web application. */

/** Where every JSON route lives. */
export const API_PREFIX = '/api/v1';

export const THUMBNAIL_WIDTHS = [120, 200, 240, 400, 480, 800, 960, 1600] as const;

/** Characters of a picture's hash that, as `?v=` of its own links, name the version of its file. */
export const VERSION_LENGTH = 16;

/** Items that a page of a list can have. */
export const MAX_PAGE = 200;
/** Images that one request can change or pack. */
export const MAX_BATCH = 500;
/** Characters of an image's name as clients send it, and of the texts that describe it. */
export const MAX_NAME_LENGTH = 1_024;
export const MAX_TITLE_LENGTH = 200;
export const MAX_CAPTION_LENGTH = 2_000;
export const MAX_ALT_LENGTH = 1_000;
export const MAX_TAGS = 50;
export const MAX_TAG_LENGTH = 50;
/** The header with which a client identifies an upload, so that a retry returns the first result (decision 058). */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Days for which the keys of uploads are kept. */
export const IDEMPOTENCY_DAYS = 30;
/** Longest life of a link that expires, in seconds (366 days). */
export const MAX_EXPIRES_IN = 366 * DAY;
export const MAX_MAX_VIEWS = 1_000_000;
/** What an upload can be converted to; `original`: nothing, beyond what the storage policy does. */
export const CONVERSIONS = ['original', ...formatsWith('chosen')] as const;
export type Conversion = (typeof CONVERSIONS)[number];
/** What an upload gets instead of a custom address that is taken. */
export const SLUG_CHOICES = ['random', 'number'] as const;
export type SlugChoice = (typeof SLUG_CHOICES)[number];
/** Albums of one user. */
export const MAX_ALBUMS = 10_000;
/** Members of one album. */
export const MAX_ALBUM_MEMBERS = 200;
/** What members of an album may do, each more than the one before. */
export const MEMBER_ROLES = ['viewer', 'contributor', 'manager'] as const;
/** Albums that one request can put a picture into. */
export const MAX_ALBUMS_AT_ONCE = 1_000;

/** What a request link has unless its owner chooses otherwise: 7 days, 100 pictures, 1 GiB in total. */
export const REQUEST_DEFAULTS = { expires_in: 7 * DAY, max_files: 100, max_bytes: 1024 ** 3 } as const;
export const MAX_REQUEST_FILES = 10_000;
export const MAX_REQUEST_BYTES = 1024 ** 4;
/** Request links of one album. */
export const MAX_REQUESTS = 100;
/** Characters of the name that a sender gives. */
export const MAX_SENDER_LENGTH = 100;
/** The header with a sender's secret. */
export const SENDER_HEADER = 'X-Sender';
/** Hours for which senders can remove what they sent. */
export const REMOVE_HOURS = 24;

/** Users whom one request can send pictures to, those of groups included. */
export const MAX_RECIPIENTS = 500;
/** People and groups that it can name. */
export const MAX_NAMED_RECIPIENTS = 50;
/** What a user has sent is kept up to this number; the oldest goes when there is more. */
export const MAX_SENT = 1_000;
export const MAX_SENT_MESSAGE = 2_000;

/** Of each group unless an admin chooses otherwise: 500 MiB and 10 minutes. */
export const VIDEO_DEFAULTS = { bytes: 500 * 1024 ** 2, seconds: 600 } as const;

/** The largest picture that can stand for a video. */
export const MAX_POSTER_BYTES = 20 * 1024 * 1024;

/** The largest picture that can become the site's logo or an avatar, and the largest drawing, which stays as it is. */
export const MAX_LOGO_BYTES = 5 * 1024 * 1024;
export const MAX_LOGO_SVG_BYTES = 256 * 1024;
export const MAX_AVATAR_BYTES = 20 * 1024 * 1024;
/** The sizes of avatars, in pixels. */
export const AVATAR_SIDES = [64, 256] as const;

/** Days until an image in the trash is deleted permanently. */
export const TRASH_DAYS = 30;

/** Minutes for which a sign-in is recent enough, in place of the password that an account doesn't have. */
export const RECENT_SIGN_IN_MINUTES = 10;

/** Characters that a new account password must have. */
export const MIN_PASSWORD_LENGTH = 10;
/** The strength from 0 to 4 that a new account password must have: about a million guesses, far more than sign-in allows (decision 074). */
export const MIN_PASSWORD_SCORE = 2;
/** Characters of a password that are rated: 256 take up to 0.8 s, and 64 a tenth of that. */
export const MAX_RATED_CHARACTERS = 64;

/** The quality of encoded pictures, those made from HEIC included, in a new storage policy: 1–100. */
export const DEFAULT_QUALITY = 85;

/** The languages in which text in pictures can be recognised. */
export const TEXT_LANGUAGES = ['en', 'zh'] as const;

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  'image.created',
  'image.replaced',
  'image.deleted',
  'image.expired',
  'album.updated',
  'user.deleted',
  'request.received',
  'sent.created',
  'sent.removed',
] as const;

/** The names of server-sent events. After `resync`, the client may have missed some. */
export const EVENT_KINDS = [
  'image.created',
  'image.changed',
  'image.deleted',
  'album.changed',
  'request.received',
  'sent.received',
  'sent.changed',
  'job.changed',
  'resync',
  'heartbeat',
] as const;

/** Stands for a stored secret in responses; sent back, it keeps the stored one. */
export const MASKED_SECRET = '********';

/** Addresses of pictures from before they were here, in all and in one request. */
export const MAX_OLD_ADDRESSES = 500_000;
export const OLD_ADDRESSES_AT_ONCE = 2_000;

/** The products that Pixdock imports from. */
export const IMPORT_PRODUCTS = ['zipline', 'lsky', 'chevereto', 'slink', 'immich'] as const;

/** Days for which the hosts that views come from are kept. */
export const REFERRER_DAYS = 90;

/** What the audit log records, by what it is about; an entry's `action` is `thing.verb`. */
export const AUDIT_ACTIONS = {
  user: [
    'signed_in',
    'sign_in_failed',
    'registered',
    'linked',
    'unlinked',
    'created',
    'changed',
    'disabled',
    'enabled',
    'password_reset',
    'access_ended',
    'transferred',
    'two_factor_enabled',
    'two_factor_disabled',
    'two_factor_reset',
    'recovery_codes_replaced',
    'deleted',
    'passkey_added',
    'passkey_removed',
  ],
  device: ['approved', 'denied'],
  invite: ['created', 'deleted'],
  group: ['created', 'changed', 'deleted'],
  policy: ['created', 'changed', 'deleted', 'move_started', 'move_stopped'],
  settings: ['changed', 'logo_changed', 'logo_removed', 'old_addresses_changed'],
  import: ['started', 'stopped'],
  oidc: ['changed'],
  webhook: ['created', 'changed', 'deleted', 'secret_rotated'],
  images: ['purged'],
  backup: [
    'created',
    'streamed',
    'deleted',
    'schedule_changed',
    'restore_prepared',
    'restore_cancelled',
    'restored',
    'restore_failed',
    'drill_failed',
  ],
  system: ['cleaned_up'],
} as const;
type AuditActions = typeof AUDIT_ACTIONS;
export type AuditAction = { [Thing in keyof AuditActions]: `${Thing}.${AuditActions[Thing][number]}` }[keyof AuditActions];

/** Why a sign-on failed, in the sign-in page's `?error=`. */
export const SIGN_ON_FAULTS = [
  'oidc_no_email',
  'oidc_not_allowed',
  'oidc_email_taken',
  'oidc_link_first',
  'oidc_disabled',
  'oidc_linked_elsewhere',
  'oidc_unreachable',
  'oidc_failed',
] as const;
