import * as api from '#api/admin/settings.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { presentBranding } from '#server/core/settings/brand.ts';
import { changeSettings } from './admin-settings.ts';
import { withoutLogo } from './logo.ts';

export function settingsRoutes({ settings, links, config }: Context) {
  function present() {
    const { site_name, base_url, registration_mode, fetch_allowed_hosts, count_referrers, disk_reserve_bytes } = settings.current();
    const { cors_origins, hotlink_sites, ocr_enabled, ocr_languages } = settings.current();
    const { guest_upload_enabled, two_factor_required, custom_addresses_enabled, request_links_enabled, team_directory } =
      settings.current();
    return {
      site_name,
      ...presentBranding(settings.current()),
      base_url,
      registration_mode,
      guest_upload_enabled,
      two_factor_required,
      custom_addresses_enabled,
      request_links_enabled,
      team_directory,
      ocr_enabled,
      ocr_languages,
      fetch_allowed_hosts,
      cors_origins,
      hotlink_sites,
      count_referrers,
      disk_reserve_bytes,
      link_address: links.address(),
      base_url_fixed: config.baseUrl !== undefined,
    };
  }

  return [
    bind(api.getAdminSettings, async () => present()),

    bind(api.changeAdminSettings, async (call) => {
      const { logo, ...changes } = call.body;
      await changeSettings(
        settings,
        call.caller,
        links.address(),
        changes,
        auditOrigin(call),
        logo === null ? withoutLogo(settings) : undefined,
      );
      return present();
    }),
  ];
}
