import type { Translated } from '#texts/translated.ts';
import { admin } from '#texts/zh/admin/admin.ts';
import { audit } from '#texts/zh/admin/audit.ts';
import { backup } from '#texts/zh/admin/backup.ts';
import { branding } from '#texts/zh/admin/branding.ts';
import { dashboard } from '#texts/zh/admin/dashboard.ts';
import { deletion } from '#texts/zh/admin/deletion.ts';
import { disk } from '#texts/zh/admin/disk.ts';
import { drill } from '#texts/zh/admin/drill.ts';
import { groups } from '#texts/zh/admin/groups.ts';
import { images } from '#texts/zh/admin/images.ts';
import { instance } from '#texts/zh/admin/instance.ts';
import { invites } from '#texts/zh/admin/invites.ts';
import { policies } from '#texts/zh/admin/policies.ts';
import { restored } from '#texts/zh/admin/restored.ts';
import { sso } from '#texts/zh/admin/sso.ts';
import { storage } from '#texts/zh/admin/storage.ts';
import { system } from '#texts/zh/admin/system.ts';
import { users } from '#texts/zh/admin/users.ts';
import { webhooks } from '#texts/zh/admin/webhooks.ts';
import type { en } from './en-admin.ts';

/** 管理页面. */
export const zh: Translated<typeof en> = {
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
};
