import { z } from 'zod';
import { COLOR } from '#api/accent.ts';
import { backupDrill, backupSchedule, restoreFailure, restoreReport } from '#api/admin/backup.ts';
import { TEXT_LANGUAGES } from '#api/constants.ts';
import type { Queries } from '#server/platform/db/database.ts';

export const DEFAULT_SITE_NAME = 'Pixdock';

const logoFacts = z.object({
  /** By content. */
  version: z.string(),
  mime: z.enum(['image/webp', 'image/svg+xml']),
  /** In pixels. */
  width: z.int().min(1),
  height: z.int().min(1),
  /** The themes in which it needs a background of its own. */
  plate: z.array(z.enum(['light', 'dark'])),
});

/** Everything that can change while the service runs. */
export const settingsSchema = z.object({
  site_name: z.string().default(DEFAULT_SITE_NAME),
  /** The accent colour; null: Pixdock's own. */
  accent_color: z.string().regex(COLOR).nullable().default(null),
  /** The site's logo, whose content is in the table `site_pictures`; null: Pixdock's own. */
  logo: logoFacts.nullable().default(null),
  base_url: z.string().nullable().default(null),
  registration_mode: z.enum(['closed', 'invite', 'open']).default('closed'),
  guest_upload_enabled: z.boolean().default(false),
  /** Whose accounts need a second factor when they sign in with a password. */
  two_factor_required: z.enum(['nobody', 'admins', 'everyone']).default('nobody'),
  /** Host names, addresses and networks that may be fetched from and notified although they aren't public. */
  fetch_allowed_hosts: z.array(z.string()).default([]),
  /** Origins whose scripts may use the API with tokens. */
  cors_origins: z.array(z.string()).default([]),
  /** Host names of the other sites that may show pictures, or `*.` and a domain; null: all may. */
  hotlink_sites: z.array(z.string()).nullable().default(null),
  /** Whether the hosts that views come from are counted. */
  count_referrers: z.boolean().default(true),
  /** Whether members can choose addresses for their images; existing ones keep working. */
  custom_addresses_enabled: z.boolean().default(true),
  /** Whether users see who else has an account. */
  team_directory: z.boolean().default(true),
  /** Whether users can ask for pictures with request links. */
  request_links_enabled: z.boolean().default(true),
  /** Whether text in pictures is recognised. */
  ocr_enabled: z.boolean().default(false),
  ocr_languages: z
    .array(z.enum(TEXT_LANGUAGES))
    .min(1)
    .default([...TEXT_LANGUAGES]),
  /** The disk reserve in bytes; null derives it from the size of the disk. */
  disk_reserve_bytes: z.number().nullable().default(null),
  /** Host names of former base URLs, which keep working: links are promises. */
  former_hosts: z.array(z.string()).default([]),
  /** Scheduled backups. */
  backup_schedule: backupSchedule.nullable().default(null),
  /** The result of test-restoring the latest scheduled backup. */
  backup_drill: backupDrill.nullable().default(null),
  /** The last restore, until an admin has read it. */
  restore_report: restoreReport.nullable().default(null),
  /** The last restore was undone; until an admin has read why. */
  restore_failure: restoreFailure.nullable().default(null),
  /** The link address on the local network, kept from the first start so that links stay valid. */
  lan_address: z.string().nullable().default(null),
});
export type Settings = z.infer<typeof settingsSchema>;

export async function readSettings(queries: Queries): Promise<Settings> {
  const rows = await queries.selectFrom('settings').selectAll().execute();
  return settingsSchema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])));
}

export async function writeSettings(queries: Queries, changes: Partial<Settings>): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    const row = { name, value: JSON.stringify(value) };
    await queries
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .execute();
  }
}
