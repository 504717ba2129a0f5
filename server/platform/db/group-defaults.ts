import { VIDEO_DEFAULTS } from '#api/constants.ts';
import { allowsVideos, isDrawing, KNOWN_EXTS } from '#api/formats.ts';

const MIB = 1024 * 1024;
const DAY = 86_400;

const MEMBERS_EXTS = KNOWN_EXTS.filter((ext) => !isDrawing(ext));

const UNLIMITED = {
  storage_quota_bytes: 0,
  max_file_bytes: 0,
  max_video_bytes: 0,
  max_video_seconds: 0,
  uploads_per_minute: 0,
  uploads_per_hour: 0,
  uploads_per_day: 0,
  default_expires_in: 0,
  max_expires_in: 0,
  default_max_views: 0,
  max_max_views: 0,
  allow_convert: 1 as 0 | 1,
  allowed_exts: JSON.stringify(MEMBERS_EXTS),
};

/** The groups of a new installation. Changing them here leaves existing databases alone. */
export const GROUP_DEFAULTS = [
  { ...UNLIMITED, kind: 'owner' as const, name: 'Owner' },
  {
    ...UNLIMITED,
    kind: 'default' as const,
    name: 'Users',
    max_file_bytes: 50 * MIB,
    max_video_bytes: VIDEO_DEFAULTS.bytes,
    max_video_seconds: VIDEO_DEFAULTS.seconds,
    storage_quota_bytes: 20 * 1024 * MIB,
    uploads_per_minute: 600,
  },
  {
    ...UNLIMITED,
    kind: 'guest' as const,
    name: 'Guests',
    max_file_bytes: 10 * MIB,
    max_video_bytes: VIDEO_DEFAULTS.bytes,
    max_video_seconds: VIDEO_DEFAULTS.seconds,
    allowed_exts: JSON.stringify(MEMBERS_EXTS.filter((ext) => !allowsVideos([ext]))),
    // Of all guests together.
    storage_quota_bytes: 5 * 1024 * MIB,
    uploads_per_minute: 5,
    uploads_per_hour: 20,
    uploads_per_day: 50,
    default_expires_in: DAY,
    max_expires_in: 7 * DAY,
    // Their pictures cost others' time.
    allow_convert: 0 as const,
  },
];

/** The storage policy of a new installation: the data folder, and links that are checked at each use, so that a new file is seen at once. */
export const FIRST_POLICY = {
  name: 'This computer',
  driver: 'local',
  config: '{}',
  keep_metadata: 0,
  max_side: 0,
  convert_to: null,
  quality: 85,
  heic_to: 'jpg',
  cache_seconds: 0,
} as const;
