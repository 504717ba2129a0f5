import type { GroupsTable } from '#server/core/accounts/groups.ts';
import type { SessionsTable } from '#server/core/accounts/sessions.ts';
import type { TokensTable } from '#server/core/accounts/tokens.ts';
import type { UsersTable } from '#server/core/accounts/users.ts';
import type { AlbumsTable } from '#server/core/albums/albums.ts';
import type { ImagesTable } from '#server/core/images/images.ts';
import type { ImageSearchQueueTable } from '#server/core/images/search.ts';
import type { ImageViewsTable } from '#server/core/images/view-days.ts';
import type { AuditTable } from '#server/core/journal/audit.ts';
import type { DailyCountsTable } from '#server/core/journal/daily-counts.ts';
import type { PoliciesTable } from '#server/core/policies/policies.ts';
import type { SettingsTable } from '#server/core/settings/settings.ts';
import type { InvitesTable } from '#server/features/accounts/invites/invites.ts';
import type { ImageTagsTable } from '#server/features/gallery/tags.ts';
import type { IdentitiesTable } from '#server/features/sign-on/accounts.ts';
import type { OidcProvidersTable } from '#server/features/sign-on/provider.ts';
import type { BlobsTable } from '#server/platform/storage/blobs.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.ts';

/** Every table, each described where its rules are. */
export interface Tables {
  albums: AlbumsTable;
  audit: AuditTable;
  blobs: BlobsTable;
  daily_counts: DailyCountsTable;
  groups: GroupsTable;
  image_search_queue: ImageSearchQueueTable;
  image_tags: ImageTagsTable;
  image_views: ImageViewsTable;
  identities: IdentitiesTable;
  images: ImagesTable;
  invites: InvitesTable;
  oidc_providers: OidcProvidersTable;
  policies: PoliciesTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  tokens: TokensTable;
  users: UsersTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhooks: WebhooksTable;
}
