import type { AuditEntry } from '#api/admin/audit.ts';
import type { AdminImage } from '#api/admin/images.ts';
import type { AdminUser } from '#api/admin/users.ts';
import { avatarUrlOf } from '#server/core/accounts/avatars.ts';
import type { Links } from '#server/core/images/links.ts';
import { presentImage } from '#server/core/images/present.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { AuditRow } from '#server/platform/db/schema/instance.ts';
import type { ImageWithOwner } from './images.ts';
import type { UserWithGroup } from './users/users.ts';

/** An account as admins see it. */
export function presentAccount(row: UserWithGroup): AdminUser {
  const { id, username, email, email_source, role, storage_used_bytes, storage_quota_bytes, image_count, trash_count } = row;
  return {
    id,
    username,
    avatar_url: avatarUrlOf(row),
    email,
    email_source,
    role,
    is_owner: row.is_owner === 1,
    has_password: row.password_hash !== null,
    two_factor: row.two_factor > 0,
    disabled: row.disabled_at !== null,
    group: { id: row.group_id, name: row.group_name },
    storage_used_bytes,
    storage_quota_bytes,
    image_count: image_count - trash_count,
    trash_count,
    created_at: toInstant(row.created_at),
    last_seen_at: toInstant(row.last_seen_at),
    deletion: presentDeletion(row),
  };
}

function presentDeletion(row: UserWithGroup): AdminUser['deletion'] {
  const { deletion_images, deletion_started_at, heir_id, recipient_name, image_count, trash_count } = row;
  if (deletion_images === null || deletion_started_at === null) return null;
  const left = heir_id === null ? image_count - trash_count : image_count;
  return {
    to: heir_id === null ? null : { id: heir_id, username: recipient_name ?? '' },
    image_count: deletion_images,
    images_left: left,
    started_at: toInstant(deletion_started_at),
  };
}

/** Any user's image as admins see it, without the deletion link, which belongs to its uploader alone. */
export function presentAnyImage(row: ImageWithOwner, links: Links): AdminImage {
  const { owner_name, ...image } = row;
  const presented = presentImage(image, links);
  return {
    ...presented,
    links: { ...presented.links, delete_url: undefined },
    owner: row.owner_id === null ? null : { id: row.owner_id, username: owner_name ?? '' },
    uploader_address: row.uploader_address,
  };
}

export function presentAudit({ id, at, actor_id, actor_name, action, target, details, address, user_agent }: AuditRow): AuditEntry {
  return {
    id,
    at: toInstant(at),
    actor: actor_id === null ? null : { id: actor_id, username: actor_name },
    action,
    target,
    details: JSON.parse(details),
    address,
    user_agent,
  };
}
