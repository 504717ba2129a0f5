import {
  accountDeletionsRows,
  deviceRequestsRows,
  groupsRows,
  identitiesRows,
  invitesRows,
  passkeysRows,
  recoveryCodesRows,
  sessionsRows,
  tokensRows,
  twoFactorRows,
  usersRows,
} from './accounts.ts';
import type { RowOf } from './columns.ts';
import { auditRows, dailyCountsRows, leasesRows, limitsRows, oidcProvidersRows, settingsRows } from './instance.ts';
import {
  albumsRows,
  batchUndosRows,
  batchUndoValuesRows,
  duplicateReviewsRows,
  imageReferrersRows,
  imageSearchQueueRows,
  imageSearchWordsRows,
  imagesRows,
  imageTagsRows,
  imageViewsRows,
  uploadKeysRows,
} from './library.ts';
import { blobsRows, policiesRows, policyMovesRows } from './storage.ts';
import type { Tables } from './tables.ts';
import { webhookDeliveriesRows, webhooksRows } from './webhooks.ts';

/** What the rows of each table look like: all that is known of an untrusted database. */
export const ROWS: { readonly [Table in keyof Tables]: RowOf<Tables[Table]> } = {
  account_deletions: accountDeletionsRows,
  albums: albumsRows,
  audit: auditRows,
  batch_undo_values: batchUndoValuesRows,
  batch_undos: batchUndosRows,
  blobs: blobsRows,
  daily_counts: dailyCountsRows,
  device_requests: deviceRequestsRows,
  duplicate_reviews: duplicateReviewsRows,
  groups: groupsRows,
  image_referrers: imageReferrersRows,
  image_search_queue: imageSearchQueueRows,
  image_search_words: imageSearchWordsRows,
  image_tags: imageTagsRows,
  image_views: imageViewsRows,
  identities: identitiesRows,
  images: imagesRows,
  invites: invitesRows,
  leases: leasesRows,
  limits: limitsRows,
  oidc_providers: oidcProvidersRows,
  passkeys: passkeysRows,
  policies: policiesRows,
  policy_moves: policyMovesRows,
  recovery_codes: recoveryCodesRows,
  sessions: sessionsRows,
  settings: settingsRows,
  tokens: tokensRows,
  two_factor: twoFactorRows,
  upload_keys: uploadKeysRows,
  users: usersRows,
  webhook_deliveries: webhookDeliveriesRows,
  webhooks: webhooksRows,
};
