import * as api from '#api/admin/settings.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { bind } from '#server/core/routes.ts';
import { changeSettings } from './admin-settings.ts';

export function settingsRoutes({ settings, links, config }: Context) {
  function present() {
    const { site_name, base_url, registration_mode, fetch_allowed_hosts, count_referrers, disk_reserve_bytes } = settings.current();
    const { guest_upload_enabled, two_factor_required, custom_addresses_enabled } = settings.current();
    return {
      site_name,
      base_url,
      registration_mode,
      guest_upload_enabled,
      two_factor_required,
      custom_addresses_enabled,
      fetch_allowed_hosts,
      count_referrers,
      disk_reserve_bytes,
      link_address: links.address(),
      base_url_fixed: config.baseUrl !== undefined,
    };
  }

  return [
    bind(api.getAdminSettings, async () => present()),

    bind(api.changeAdminSettings, async (call) => {
      await changeSettings(settings, links.address(), call.body, auditOrigin(call));
      return present();
    }),
  ];
}
