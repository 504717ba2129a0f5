import { z } from 'zod';
import { accentColor, branding } from '#api/branding.ts';
import { TEXT_LANGUAGES } from '#api/constants.ts';
import { count, line, route, typed } from '#api/contract.ts';
import { textLanguage } from '#api/images/text.ts';

/** Settings that an admin can change while the service runs. */
export const adminSettings = z.object({
  site_name: line(100, 1),
  accent_color: accentColor.nullable().meta({
    description: 'Such as `#125d69`; null: the default. Pages show shades of it that are readable in both themes',
    examples: ['#125d69'],
  }),
  base_url: typed(300)
    .nullable()
    .meta({ description: "The start of every link, such as `https://pics.example.org`; null: the server's own address" }),
  registration_mode: z.enum(['closed', 'invite', 'open']),
  guest_upload_enabled: z.boolean(),
  two_factor_required: z
    .enum(['nobody', 'admins', 'everyone'])
    .meta({ description: 'Who must set up two-factor authentication when next signing in with a password' }),
  custom_addresses_enabled: z
    .boolean()
    .meta({ description: 'Whether members can choose addresses for their pictures; existing ones keep working' }),
  request_links_enabled: z
    .boolean()
    .meta({ description: 'Whether users can ask for pictures with request links; while it is off, existing links take none' }),
  team_directory: z.boolean().meta({ description: 'Whether users see who else has an account, and the listed groups' }),
  ocr_enabled: z.boolean().meta({ description: 'Whether text in pictures is recognised, so that searches find it' }),
  ocr_languages: z
    .array(textLanguage)
    .min(1)
    .max(TEXT_LANGUAGES.length)
    .meta({ description: 'The languages of text that is recognised from now on' }),
  fetch_allowed_hosts: z
    .array(typed(253, 1))
    .max(200)
    .meta({ description: 'Private host names, IP addresses and networks that uploads by URL and webhooks may reach' }),
  cors_origins: z.array(typed(300, 1)).max(200).meta({
    description: 'Origins, such as `https://app.example.org` or `https://*.example.org`, whose scripts may use the API with tokens',
  }),
  hotlink_sites: z
    .array(typed(253, 1).toLowerCase())
    .max(200)
    .nullable()
    .meta({ description: 'Sites, such as `example.org` or `*.example.org`, that may show pictures of this one; null: all may' }),
  count_referrers: z.boolean().meta({ description: 'Count referring hosts; turning this off deletes the counts' }),
  disk_reserve_bytes: count
    .nullable()
    .meta({ description: 'Free disk space below which uploads stop; null: 1 GB or 2%, whichever is smaller' }),
});
export type AdminSettings = z.infer<typeof adminSettings>;

const response = adminSettings.extend({
  logo: branding.shape.logo,
  link_address: z.string().meta({ description: 'The current start of every link' }),
  base_url_fixed: z.boolean().meta({ description: 'True if PIXDOCK_BASE_URL overrides `base_url`' }),
});

export const getAdminSettings = route({
  method: 'GET',
  path: '/admin/settings',
  access: 'admin',
  summary: 'Get the settings of this instance',
  data: response,
});

export const changeAdminSettings = route({
  method: 'PATCH',
  path: '/admin/settings',
  access: 'admin',
  summary: 'Change settings; absent fields stay unchanged',
  body: adminSettings.partial().extend({ logo: z.null().optional().meta({ description: 'Shows the default logo again' }) }),
  data: response,
});
