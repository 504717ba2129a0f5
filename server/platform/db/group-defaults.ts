import { isDrawing, KNOWN_EXTS } from '#api/formats.ts';

const MIB = 1024 * 1024;
const DAY = 86_400;

const UNLIMITED = {
  storage_quota_bytes: 0,
  max_file_bytes: 0,
  uploads_per_minute: 0,
  uploads_per_hour: 0,
  uploads_per_day: 0,
  default_expires_in: 0,
  max_expires_in: 0,
  default_max_views: 0,
  max_max_views: 0,
  allowed_exts: JSON.stringify(KNOWN_EXTS.filter((ext) => !isDrawing(ext))),
};

/**
 * The groups of a new installation, with the columns of the first migration, which creates them. Changing them here leaves existing databases
 * alone; a column that a later migration adds gets its default there.
 */
export const GROUP_DEFAULTS = [
  { ...UNLIMITED, kind: 'owner', name: 'Owner' },
  {
    ...UNLIMITED,
    kind: 'default',
    name: 'Users',
    max_file_bytes: 50 * MIB,
    storage_quota_bytes: 20 * 1024 * MIB,
    uploads_per_minute: 600,
  },
  {
    ...UNLIMITED,
    kind: 'guest',
    name: 'Guests',
    max_file_bytes: 10 * MIB,
    // Of all guests together.
    storage_quota_bytes: 5 * 1024 * MIB,
    uploads_per_minute: 5,
    uploads_per_hour: 20,
    uploads_per_day: 50,
    default_expires_in: DAY,
    max_expires_in: 7 * DAY,
  },
];
