import { z } from 'zod';
import { count, route } from './contract.ts';

/** What an admin can change while the service runs. */
export const adminSettings = z.object({
  site_name: z.string().trim().min(1).max(100),
  base_url: z
    .string()
    .trim()
    .max(300)
    .nullable()
    .meta({ description: 'Origin that links start with, such as `https://pics.example.org`; null: the address of this machine' }),
  registration_mode: z.enum(['closed', 'invite', 'open']),
  guest_upload_enabled: z.boolean(),
  fetch_allowed_hosts: z
    .array(z.string().trim().min(1).max(253))
    .max(200)
    .meta({ description: 'Host names, IP addresses and networks that URL upload and webhooks may reach although they are not public' }),
  disk_reserve_bytes: count.nullable().meta({ description: 'What uploads leave free on the disk; null: 1 GiB or 2 %, whichever is less' }),
});
export type AdminSettings = z.infer<typeof adminSettings>;

const answer = adminSettings.extend({
  link_address: z.string().meta({ description: 'What links start with now' }),
  base_url_fixed: z.boolean().meta({ description: 'PIXDOCK_BASE_URL is set and overrides `base_url`' }),
});

export const getAdminSettings = route({
  method: 'GET',
  path: '/admin/settings',
  access: 'admin',
  summary: 'The settings of this instance',
  data: answer,
});

export const changeAdminSettings = route({
  method: 'PATCH',
  path: '/admin/settings',
  access: 'admin',
  summary: 'Change settings; what is absent stays',
  body: adminSettings.partial(),
  data: answer,
});
