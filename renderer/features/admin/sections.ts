import {
  IconArchive,
  IconChartAreaLine,
  IconEye,
  IconFingerprint,
  IconFolders,
  IconHistory,
  IconId,
  IconLibraryPhoto,
  IconPackageImport,
  IconPalette,
  IconServer,
  IconSettings,
  IconTicket,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { load } from '#renderer/service/connection.ts';

/** A page that loads when it is opened. */
const page = (get: () => Promise<ComponentType>) => lazy(() => load(get).then((component) => ({ default: component })));

/** The administration pages in the order of the navigation. */
export const SECTIONS = [
  {
    id: 'dashboard',
    Icon: IconChartAreaLine,
    Page: page(() => import('./dashboard/dashboard-page.tsx').then(({ DashboardPage }) => DashboardPage)),
  },
  { id: 'views', Icon: IconEye, Page: page(() => import('./views/views-page.tsx').then(({ ViewsPage }) => ViewsPage)) },
  { id: 'users', Icon: IconUsers, Page: page(() => import('./users/users-page.tsx').then(({ UsersPage }) => UsersPage)) },
  { id: 'groups', Icon: IconId, Page: page(() => import('./groups/groups-page.tsx').then(({ GroupsPage }) => GroupsPage)) },
  { id: 'invites', Icon: IconTicket, Page: page(() => import('./invites/invites-page.tsx').then(({ InvitesPage }) => InvitesPage)) },
  { id: 'images', Icon: IconLibraryPhoto, Page: page(() => import('./images/images-page.tsx').then(({ ImagesPage }) => ImagesPage)) },
  { id: 'policies', Icon: IconFolders, Page: page(() => import('./policies/policies-page.tsx').then(({ PoliciesPage }) => PoliciesPage)) },
  { id: 'settings', Icon: IconSettings, Page: page(() => import('./instance/instance-page.tsx').then(({ InstancePage }) => InstancePage)) },
  {
    id: 'branding',
    Icon: IconPalette,
    Page: page(() => import('./branding/branding-page.tsx').then(({ BrandingPage }) => BrandingPage)),
  },
  { id: 'sso', Icon: IconFingerprint, Page: page(() => import('./sso/sso-page.tsx').then(({ SsoPage }) => SsoPage)) },
  { id: 'webhooks', Icon: IconWebhook, Page: page(() => import('./webhooks/webhooks-page.tsx').then(({ WebhooksPage }) => WebhooksPage)) },
  { id: 'backup', Icon: IconArchive, Page: page(() => import('./backup/backup-page.tsx').then(({ BackupPage }) => BackupPage)) },
  { id: 'import', Icon: IconPackageImport, Page: page(() => import('./import/import-page.tsx').then(({ ImportPage }) => ImportPage)) },
  { id: 'audit', Icon: IconHistory, Page: page(() => import('./audit/audit-page.tsx').then(({ AuditPage }) => AuditPage)) },
  { id: 'system', Icon: IconServer, Page: page(() => import('./system/system-page.tsx').then(({ SystemPage }) => SystemPage)) },
] as const;
