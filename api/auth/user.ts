import { z } from 'zod';
import { AVATAR_SIDES } from '#api/constants.ts';
import { albumId, asSent, count, instant, nothing, opaqueId, page, pageQuery, route } from '#api/contract.ts';
import { linkTemplate } from '#api/desktop/preferences.ts';
import { anyOf } from '#api/formats.ts';
import { visibility } from '#api/images/upload.ts';
import { ACCOUNT_LINK_FORMATS } from '#api/sharing/link-formats.ts';
import { currentPassword, email, password, user, username } from './auth.ts';
import { tokenScope } from './tokens.ts';

/** Defaults for this user's uploads, what stays of their metadata, the format of copied links, and what becomes of expired pictures. */
export const preferences = z.object({
  visibility,
  album_id: albumId.nullable().meta({ description: 'Album for new uploads; null: none' }),
  policy_id: z.int().min(1).nullable().meta({ description: "Storage policy for new uploads; null: the group's first" }),
  link_format: z.enum(ACCOUNT_LINK_FORMATS),
  link_template: linkTemplate.meta({ description: 'What is copied for each picture in the format `custom`' }),
  delete_expired: z.boolean().meta({ description: 'Delete expired pictures permanently instead of moving them to the trash' }),
  keep_copyright: z.boolean().meta({ description: 'Keep the artist and the copyright notice when removing metadata from new uploads' }),
});
export type Preferences = z.infer<typeof preferences>;

/** An account as its own user sees it, with preferences. */
const profile = user.extend({
  group: z.string(),
  preferences,
  recognize_text: z.boolean().meta({ description: 'Whether text in their pictures is recognised, where the server does that' }),
});
export type Profile = z.infer<typeof profile>;

export const getProfile = route({
  method: 'GET',
  path: '/user',
  access: 'user',
  summary: "Get the caller's account and preferences",
  data: profile,
});

export const changeProfile = route({
  method: 'PATCH',
  path: '/user',
  access: 'user',
  summary:
    'Change the username or email address, or whether text in pictures is recognised; a new address requires a session and the password',
  body: z.object({
    username: username.optional(),
    email: email.nullable().optional(),
    current_password: currentPassword,
    recognize_text: z.boolean().optional().meta({ description: 'False removes all text that was recognised' }),
  }),
  data: profile,
  errors: ['conflict', 'wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

export const putAvatar = route({
  method: 'PUT',
  path: '/user/avatar',
  access: 'user',
  summary: `Set the caller's avatar: a ${anyOf('avatar')} of at most 20 MB, not animated. The middle is cut out as a square`,
  multipart: true,
  body: z.object({}),
  data: user.pick({ avatar_url: true }),
  errors: ['damaged_image', 'image_too_large', 'ext_not_allowed', 'file_too_large', 'unsupported_media_type', 'storage_full', 'cross_site'],
});

export const deleteAvatar = route({
  method: 'DELETE',
  path: '/user/avatar',
  access: 'user',
  summary: "Remove the caller's avatar",
  data: user.pick({ avatar_url: true }),
  errors: ['cross_site'],
});

export const getAvatar = route({
  method: 'GET',
  path: '/avatars/:id',
  access: 'user',
  summary: 'Get the avatar of an account by its address, which other responses contain as `avatar_url`',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  query: z.object({
    v: asSent(64, 1).meta({ description: 'The version of the avatar; any other is not found' }),
    size: z.coerce.number().pipe(z.literal(AVATAR_SIDES)).default(64).meta({ description: 'Pixels per side: 64 or 256' }),
  }),
  binary: 'image/webp',
  errors: ['not_found'],
});

export const changePreferences = route({
  method: 'PATCH',
  path: '/user/preferences',
  access: 'user',
  summary: 'Change the defaults for uploads and links',
  body: preferences.partial(),
  data: preferences,
  errors: ['album_not_found', 'policy_not_allowed', 'cross_site'],
});

export const changePassword = route({
  method: 'PUT',
  path: '/user/password',
  access: 'session',
  summary: 'Set a new password; ends all other sessions of the account and, on request, revokes its API tokens',
  body: z.object({
    current_password: currentPassword,
    new_password: password,
    revoke_tokens: z.boolean().default(false).meta({ description: 'Whether to revoke all API tokens' }),
  }),
  data: nothing,
  errors: ['wrong_password', 'sign_in_again', 'rate_limited', 'cross_site'],
});

/** A signed-in browser or app. */
export const session = z.object({
  id: opaqueId,
  address: z.string(),
  user_agent: z.string(),
  created_at: instant,
  last_seen_at: instant.meta({ description: 'Accurate to the minute' }),
  expires_at: instant,
  current: z.boolean().meta({ description: 'True for the session of this request' }),
});
export type Session = z.infer<typeof session>;

export const listSessions = route({
  method: 'GET',
  path: '/user/sessions',
  access: 'user',
  summary: "List the caller's sessions, newest first",
  query: pageQuery,
  data: page(session),
});

export const endSession = route({
  method: 'DELETE',
  path: '/user/sessions/:id',
  access: 'user',
  summary: 'End one session immediately',
  params: z.object({ id: opaqueId }),
  data: nothing,
  errors: ['not_found', 'cross_site'],
});

export const endOtherSessions = route({
  method: 'DELETE',
  path: '/user/sessions',
  access: 'user',
  summary: 'End all other sessions',
  data: nothing,
  errors: ['cross_site'],
});

/** What ended. */
export const endedAccess = z.object({ sessions: count, tokens: count });

export const endAccess = route({
  method: 'DELETE',
  path: '/user/access',
  access: 'session',
  summary: 'End all other sessions and revoke all API tokens',
  data: endedAccess,
  errors: ['cross_site'],
});

export const deleteAccount = route({
  method: 'DELETE',
  path: '/user',
  access: 'session',
  summary:
    "Delete the caller's account. All its access ends immediately, and its pictures are deleted permanently when the trash period ends",
  body: z.object({ current_password: currentPassword }),
  data: nothing,
  errors: ['wrong_password', 'sign_in_again', 'conflict', 'rate_limited', 'cross_site'],
});

/** The limits of the caller's group; 0 means unlimited throughout. */
const limits = z.object({
  username: z.string(),
  scope: tokenScope.meta({ description: 'What the caller may do; `full` for sessions' }),
  group: z.string(),
  storage_used_bytes: count.meta({ description: 'Including the trash' }),
  storage_quota_bytes: count,
  max_file_bytes: count.meta({ description: 'Of a picture' }),
  max_video_bytes: count,
  max_video_seconds: count,
  allowed_exts: z.array(z.string()),
  uploads_per_minute: count,
  uploads_per_hour: count,
  uploads_per_day: count,
  default_expires_in: count,
  max_expires_in: count,
  default_max_views: count,
  max_max_views: count,
  delete_expired: z.boolean().meta({
    description: "Expired pictures are deleted permanently instead of moved to the trash; if false, the account's preference applies",
  }),
  allow_convert: z.boolean().meta({ description: 'Whether uploads may set `convert`' }),
  policy_ids: z.array(z.int()),
  image_count: count.meta({ description: 'Pictures, excluding the trash' }),
});

export const getLimits = route({
  method: 'GET',
  path: '/user/limits',
  access: 'user',
  uploadScope: true,
  summary: "Get the caller's limits and current usage",
  data: limits,
});
