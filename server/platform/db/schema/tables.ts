import type {
  AccountDeletionsTable,
  AvatarsTable,
  DeviceRequestsTable,
  GroupsTable,
  IdentitiesTable,
  InvitesTable,
  PasskeysTable,
  PhoneCodesTable,
  RecoveryCodesTable,
  SessionsTable,
  TokensTable,
  TwoFactorTable,
  UsersTable,
} from './accounts.ts';
import type {
  AuditTable,
  DailyCountsTable,
  LeasesTable,
  LimitsTable,
  OidcProvidersTable,
  SettingsTable,
  SitePicturesTable,
} from './instance.ts';
import type {
  AlbumImagesTable,
  AlbumMembersTable,
  AlbumsTable,
  BatchUndosTable,
  BatchUndoValuesTable,
  DuplicateReviewsTable,
  FormerSlugsTable,
  ImageReferrersTable,
  ImageSearchQueueTable,
  ImageSearchWordsTable,
  ImagesTable,
  ImageTagsTable,
  ImageTextsTable,
  ImageViewsTable,
  UploadKeysTable,
} from './library.ts';
import type { RequestBatchesTable, RequestFilesTable, RequestLinksTable } from './requests.ts';
import type { BlobsTable, PoliciesTable, PolicyMovesTable } from './storage.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.ts';

/** All tables. */
export interface Tables {
  account_deletions: AccountDeletionsTable;
  album_images: AlbumImagesTable;
  album_members: AlbumMembersTable;
  albums: AlbumsTable;
  audit: AuditTable;
  avatars: AvatarsTable;
  batch_undo_values: BatchUndoValuesTable;
  batch_undos: BatchUndosTable;
  blobs: BlobsTable;
  daily_counts: DailyCountsTable;
  device_requests: DeviceRequestsTable;
  duplicate_reviews: DuplicateReviewsTable;
  former_slugs: FormerSlugsTable;
  groups: GroupsTable;
  image_referrers: ImageReferrersTable;
  image_search_queue: ImageSearchQueueTable;
  image_search_words: ImageSearchWordsTable;
  image_tags: ImageTagsTable;
  image_texts: ImageTextsTable;
  image_views: ImageViewsTable;
  identities: IdentitiesTable;
  images: ImagesTable;
  invites: InvitesTable;
  leases: LeasesTable;
  limits: LimitsTable;
  oidc_providers: OidcProvidersTable;
  passkeys: PasskeysTable;
  phone_codes: PhoneCodesTable;
  policies: PoliciesTable;
  policy_moves: PolicyMovesTable;
  recovery_codes: RecoveryCodesTable;
  request_batches: RequestBatchesTable;
  request_files: RequestFilesTable;
  request_links: RequestLinksTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  site_pictures: SitePicturesTable;
  tokens: TokensTable;
  two_factor: TwoFactorTable;
  upload_keys: UploadKeysTable;
  users: UsersTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhooks: WebhooksTable;
}
