import { changeAdminSettings } from '#api/admin/settings.ts';
import { createClient } from '#api/client.ts';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { HostRole, RoleStore } from '#main/base/role.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import type { WatchFolders } from '#main/watcher/folders.ts';

/** Gives the site the name chosen at the first launch, once the service runs. The next start tries again after a failure. */
export function applySiteName(role: HostRole, roles: Pick<RoleStore, 'set'>, account: Account): void {
  const { siteName: site_name, ...rest } = role;
  if (site_name === undefined) return;
  asAccount(account, ({ url, headers }) => createClient({ baseUrl: url }).call(changeAdminSettings, { body: { site_name }, headers }))
    .then(() => roles.set(rest))
    .catch((error: unknown) => console.error('Couldn’t set the chosen name; the next start tries again:', error));
}

/** Watches the folder for screenshots that the user asked for: new ones only, and private. */
export function watchScreenshots(path: string | undefined, folders: Pick<WatchFolders, 'add' | 'covers'>): void {
  if (path === undefined || folders.covers(path)) return;
  folders.add(path, DEFAULT_FOLDER_OPTIONS).catch((error: unknown) => console.error('Couldn’t watch the folder for screenshots:', error));
}
