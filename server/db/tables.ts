import type { AuditTable } from '../admin/audit.ts';
import type { DailyCountsTable } from '../admin/daily-counts.ts';
import type { AlbumsTable } from '../albums/albums.ts';
import type { SessionsTable } from '../auth/sessions.ts';
import type { UsersTable } from '../auth/users.ts';
import type { GroupsTable } from '../groups/groups.ts';
import type { ImagesTable } from '../images/images.ts';
import type { ImageSearchQueueTable } from '../images/search.ts';
import type { ImageTagsTable } from '../images/tags.ts';
import type { ImageViewsTable } from '../images/view-days.ts';
import type { InvitesTable } from '../invites/invites.ts';
import type { IdentitiesTable } from '../oidc/accounts.ts';
import type { OidcProvidersTable } from '../oidc/provider.ts';
import type { PoliciesTable } from '../policies/policies.ts';
import type { SettingsTable } from '../settings/settings.ts';
import type { BlobsTable } from '../storage/blobs.ts';
import type { TokensTable } from '../tokens/tokens.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../webhooks/webhooks-tables.ts';

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
