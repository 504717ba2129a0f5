import { z } from 'zod';
import { branding } from './branding.ts';
import { count, route } from './contract.ts';

/** Public information about this instance. */
export const instanceConfig = z.object({
  instance_id: z.string().meta({ description: 'Identifies this instance even if its address changes' }),
  site_name: z.string(),
  ...branding.shape,
  base_url: z.string().meta({ description: 'The start of every link' }),
  version: z.string(),
  setup_required: z.boolean(),
  oidc_enabled: z.boolean(),
  passkeys_in_use: z.boolean().meta({ description: 'Whether any account has a passkey' }),
  registration_mode: z.enum(['closed', 'invite', 'open']),
  guest_upload_enabled: z.boolean(),
  custom_addresses_enabled: z.boolean(),
  request_links_enabled: z.boolean(),
  team_directory: z.boolean().meta({ description: 'Whether `GET /team` lists accounts' }),
  ocr_enabled: z.boolean().meta({ description: 'Whether text in pictures is recognised' }),
  heic_supported: z.boolean(),
  thumbnail_widths: z.array(z.int()),
  allowed_exts: z.array(z.string()),
  guest_limits: z.object({
    max_file_bytes: count,
    max_video_bytes: count,
    max_video_seconds: count,
    default_expires_in: count,
    max_expires_in: count,
    allowed_exts: z.array(z.string()),
  }),
});

export const getConfig = route({
  method: 'GET',
  path: '/config',
  access: 'open',
  summary: 'Get the public configuration of this instance',
  data: instanceConfig,
});
