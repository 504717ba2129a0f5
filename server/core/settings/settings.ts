import { z } from 'zod';
import { backupSchedule } from '#api/backup.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** What an admin can change while the service runs. */
export const settingsSchema = z.object({
  site_name: z.string().default('Pixdock'),
  base_url: z.string().nullable().default(null),
  registration_mode: z.enum(['closed', 'invite', 'open']).default('closed'),
  guest_upload_enabled: z.boolean().default(false),
  /** Host names, addresses and networks that may be fetched from and notified although they are not public. */
  fetch_allowed_hosts: z.array(z.string()).default([]),
  /** What uploads leave free on the disk, in bytes; null: chosen by the size of the disk. */
  disk_reserve_bytes: z.number().nullable().default(null),
  /** Host names of former base URLs: the service goes on answering to them, since links are promises. */
  former_hosts: z.array(z.string()).default([]),
  /** Backups that are made by themselves. */
  backup_schedule: backupSchedule.nullable().default(null),
  /** The address that links start with on the network, kept from the first start on so that links stay valid. */
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
