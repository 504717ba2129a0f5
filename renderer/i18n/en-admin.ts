import { audit } from '#texts/en/admin/audit.ts';
import { sso, webhooks } from '#texts/en/admin/connections.ts';
import { deletion, groups, invites, users } from '#texts/en/admin/people.ts';
import { admin, branding, dashboard, images, imports, instance, system } from '#texts/en/admin/service.ts';
import { backup, disk, drill, policies, restored, storage } from '#texts/en/admin/storage.ts';
/** English texts of the administration pages, loaded with them. */
export const en = {
  ...admin,
  audit,
  backup,
  branding,
  dashboard,
  deletion,
  disk,
  drill,
  groups,
  images,
  imports,
  instance,
  invites,
  policies,
  restored,
  sso,
  storage,
  system,
  users,
  webhooks,
} as const;
