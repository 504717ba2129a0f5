import type { z } from 'zod';
import type { User } from '#api/auth/auth.ts';
import type { getLimits, Preferences } from '#api/auth/user.ts';
import type { instanceConfig } from '#api/config.ts';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import type { RouteData } from '#api/contract.ts';
import { DEFAULT_TEMPLATE } from '#api/sharing/link-template.ts';

export type Config = z.infer<typeof instanceConfig>;
export type Limits = RouteData<typeof getLimits>;

const EXTS = ['jpg', 'png', 'gif', 'webp', 'avif', 'svg', 'heic'];

/** The owner of the site, unless a test says otherwise. */
export const ADA: User = {
  id: 1,
  username: 'ada',
  email: 'ada@example.org',
  role: 'admin',
  is_owner: true,
  has_password: true,
  avatar_url: null,
  created_at: '2026-01-01T12:00:00.000Z',
};

/** Another user, without special rights. */
export const CARLA: User = { ...ADA, id: 2, username: 'carla', email: 'carla@example.org', role: 'user', is_owner: false };

export const CONFIG: Config = {
  instance_id: 'instance',
  site_name: 'Pixdock',
  accent_color: null,
  logo: null,
  base_url: location.origin,
  version: '0.6.0',
  setup_required: false,
  oidc_enabled: false,
  passkeys_in_use: false,
  registration_mode: 'closed',
  guest_upload_enabled: false,
  custom_addresses_enabled: true,
  request_links_enabled: true,
  team_directory: true,
  ocr_enabled: false,
  heic_supported: true,
  thumbnail_widths: [...THUMBNAIL_WIDTHS],
  allowed_exts: EXTS,
  guest_limits: {
    max_file_bytes: 10_000_000,
    max_video_bytes: 0,
    max_video_seconds: 0,
    default_expires_in: 0,
    max_expires_in: 0,
    allowed_exts: EXTS,
  },
};

export const PREFERENCES: Preferences = {
  visibility: 'public',
  album_id: null,
  policy_id: null,
  link_format: 'url',
  link_template: DEFAULT_TEMPLATE,
  delete_expired: false,
  keep_copyright: false,
};

export const LIMITS: Omit<Limits, 'image_count'> = {
  username: 'ada',
  scope: 'full',
  group: 'Default',
  storage_used_bytes: 0,
  storage_quota_bytes: 0,
  max_file_bytes: 20_000_000,
  max_video_bytes: 500_000_000,
  max_video_seconds: 600,
  allowed_exts: EXTS,
  uploads_per_minute: 0,
  uploads_per_hour: 0,
  uploads_per_day: 0,
  default_expires_in: 0,
  max_expires_in: 0,
  default_max_views: 0,
  max_max_views: 0,
  delete_expired: false,
  allow_convert: true,
  policy_ids: [1],
};
