import type { Translated } from '#texts/translated.ts';
import { audit } from '#texts/zh/admin/audit.ts';
import { sso, webhooks } from '#texts/zh/admin/connections.ts';
import { deletion, groups, invites, users } from '#texts/zh/admin/people.ts';
import { admin, branding, dashboard, images, imports, instance, system } from '#texts/zh/admin/service.ts';
import { backup, disk, drill, policies, restored, storage } from '#texts/zh/admin/storage.ts';
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
};
