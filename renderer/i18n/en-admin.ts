import { admin } from '#texts/en/admin/admin.ts';
import { audit } from '#texts/en/admin/audit.ts';
import { backup } from '#texts/en/admin/backup.ts';
import { branding } from '#texts/en/admin/branding.ts';
import { dashboard } from '#texts/en/admin/dashboard.ts';
import { deletion } from '#texts/en/admin/deletion.ts';
import { disk } from '#texts/en/admin/disk.ts';
import { drill } from '#texts/en/admin/drill.ts';
import { groups } from '#texts/en/admin/groups.ts';
import { images } from '#texts/en/admin/images.ts';
import { instance } from '#texts/en/admin/instance.ts';
import { invites } from '#texts/en/admin/invites.ts';
import { policies } from '#texts/en/admin/policies.ts';
import { restored } from '#texts/en/admin/restored.ts';
import { sso } from '#texts/en/admin/sso.ts';
import { storage } from '#texts/en/admin/storage.ts';
import { system } from '#texts/en/admin/system.ts';
import { users } from '#texts/en/admin/users.ts';
import { webhooks } from '#texts/en/admin/webhooks.ts';

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
