import * as api from '#api/config.ts';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { anyPasskeyExists } from '#server/core/accounts/passkeys.ts';
import { anyUserExists } from '#server/core/accounts/users.ts';
import { bind } from '#server/core/routes.ts';
import { presentBranding } from '#server/core/settings/brand.ts';
import { isReady } from '#server/features/sign-on/provider.ts';
import { instanceId } from '#server/platform/config/secrets.ts';
import type { ServiceContext } from './compose.ts';

export const configRoutes = ({ db, settings, oidc, links, version, heic, secrets }: ServiceContext) => [
  bind(api.getConfig, async () => {
    const {
      site_name,
      registration_mode,
      guest_upload_enabled,
      custom_addresses_enabled,
      request_links_enabled,
      team_directory,
      ocr_enabled,
    } = settings.current();
    const guests = await groupOfKind(db.read, 'guest');
    const members = await groupOfKind(db.read, 'default');
    return {
      instance_id: instanceId(secrets),
      site_name,
      ...presentBranding(settings.current()),
      base_url: links.address(),
      version,
      setup_required: !(await anyUserExists(db.read)),
      oidc_enabled: isReady(await oidc.read()),
      passkeys_in_use: await anyPasskeyExists(db.read),
      registration_mode,
      guest_upload_enabled,
      custom_addresses_enabled,
      request_links_enabled,
      team_directory,
      ocr_enabled,
      heic_supported: await heic.isSupported(),
      thumbnail_widths: [...THUMBNAIL_WIDTHS],
      allowed_exts: members.allowed_exts,
      guest_limits: {
        max_file_bytes: guests.max_file_bytes,
        max_video_bytes: guests.max_video_bytes,
        max_video_seconds: guests.max_video_seconds,
        default_expires_in: guests.default_expires_in,
        max_expires_in: guests.max_expires_in,
        allowed_exts: guests.allowed_exts,
      },
    };
  }),
];
