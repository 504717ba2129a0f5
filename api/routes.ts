import type { Route } from './contract.ts';

type Modules =
  | typeof import('#api/admin/audit.ts')
  | typeof import('#api/admin/groups.ts')
  | typeof import('#api/admin/images.ts')
  | typeof import('#api/admin/imports.ts')
  | typeof import('#api/admin/old-addresses.ts')
  | typeof import('#api/admin/policies.ts')
  | typeof import('#api/admin/settings.ts')
  | typeof import('#api/admin/stats.ts')
  | typeof import('#api/admin/system.ts')
  | typeof import('#api/admin/users.ts')
  | typeof import('#api/albums/albums.ts')
  | typeof import('#api/albums/members.ts')
  | typeof import('#api/albums/pictures.ts')
  | typeof import('#api/auth/auth.ts')
  | typeof import('#api/admin/backup.ts')
  | typeof import('./branding.ts')
  | typeof import('./config.ts')
  | typeof import('#api/auth/devices.ts')
  | typeof import('#api/auth/phones.ts')
  | typeof import('./events.ts')
  | typeof import('#api/images/changes.ts')
  | typeof import('#api/images/files.ts')
  | typeof import('#api/images/images.ts')
  | typeof import('#api/auth/invites.ts')
  | typeof import('#api/auth/oidc.ts')
  | typeof import('#api/auth/passkeys.ts')
  | typeof import('#api/sharing/requests.ts')
  | typeof import('#api/sharing/shares.ts')
  | typeof import('#api/images/timeline.ts')
  | typeof import('#api/images/duplicates.ts')
  | typeof import('#api/images/slugs.ts')
  | typeof import('#api/images/text.ts')
  | typeof import('#api/auth/tokens.ts')
  | typeof import('#api/images/trash.ts')
  | typeof import('#api/images/versions.ts')
  | typeof import('#api/auth/two-factor.ts')
  | typeof import('#api/images/upload.ts')
  | typeof import('#api/auth/user.ts')
  | typeof import('#api/images/views.ts')
  | typeof import('./sent.ts')
  | typeof import('./team.ts')
  | typeof import('./webhooks.ts');

type RoutesOf<Module> = Module extends unknown ? Extract<Module[keyof Module], Route> : never;

/** The routes of the contract by method and path, such as `GET /user`. Types only: a program that names routes this way loads no schema. */
export type Routes = { [R in RoutesOf<Modules> as `${R['method']} ${R['path']}`]: R };
export type RouteName = keyof Routes;

/** A route, declared or named. */
export type RouteOf<R extends Route | RouteName> = R extends RouteName ? Routes[R] : R extends Route ? R : never;
