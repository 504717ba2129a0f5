import type { Logger } from 'pino';
import type { PasswordGuard } from '#server/core/accounts/password-guard.ts';
import type { Presence } from '#server/core/accounts/presence.ts';
import type { HeicSupport } from '#server/core/images/heic-support.ts';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import type { Links } from '#server/core/images/links.ts';
import type { Placeholders } from '#server/core/images/placeholders.ts';
import type { Thumbnails } from '#server/core/images/thumbnails.ts';
import type { PolicyStore } from '#server/core/policies/policies.ts';
import type { SettingsStore } from '#server/core/settings/settings-store.ts';
import type { Unlocking } from '#server/core/viewing/unlocking.ts';
import type { Views } from '#server/core/viewing/views.ts';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { Secrets } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { DecodingQueue } from '#server/platform/imaging/decoding.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import type { DiskReserve } from '#server/platform/storage/reserve.ts';
import type { Staging } from '#server/platform/storage/staging.ts';

/** Everything that features share; each picks what it needs. */
export interface Context {
  config: ServiceConfig;
  log: Logger;
  db: Database;
  secrets: Secrets;
  settings: SettingsStore;
  metrics: Metrics;
  /** Counts for rate limits, which survive a restart. */
  limits: Limits;
  passwordGuard: PasswordGuard;
  presence: Presence;
  staging: Staging;
  diskReserve: DiskReserve;
  blobs: Blobs;
  policies: PolicyStore;
  imageIndex: ImageIndex;
  thumbnails: Thumbnails;
  placeholders: Placeholders;
  links: Links;
  /** Stands for cursors and numbers of rows in what clients get. */
  opaque: Opaque;
  /** The host names under which this service may be reached, as `hostName` returns them. */
  ownHosts(): readonly string[];
  unlocking: Unlocking;
  views: Views;
  /** Limits how many pictures are processed at once, and the memory that they take, and shares the time among callers. */
  decoding: DecodingQueue;
  /** Allows a browser to create the first account; the desktop's owner needs none (decision 003). */
  setupCode: string;
  version: string;
  heic: HeicSupport;
  /** Restarts the service on the same data folder and port; undefined where that isn't possible. */
  restart: (() => void) | undefined;
}
