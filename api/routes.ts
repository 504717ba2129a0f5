import type { Route } from './contract.ts';

type Modules =
  | typeof import('./admin-audit.ts')
  | typeof import('./admin-groups.ts')
  | typeof import('./admin-images.ts')
  | typeof import('./admin-policies.ts')
  | typeof import('./admin-settings.ts')
  | typeof import('./admin-stats.ts')
  | typeof import('./admin-system.ts')
  | typeof import('./admin-users.ts')
  | typeof import('./albums.ts')
  | typeof import('./auth.ts')
  | typeof import('./backup.ts')
  | typeof import('./config.ts')
  | typeof import('./devices.ts')
  | typeof import('./image-changes.ts')
  | typeof import('./image-files.ts')
  | typeof import('./images.ts')
  | typeof import('./invites.ts')
  | typeof import('./limits.ts')
  | typeof import('./oidc.ts')
  | typeof import('./passkeys.ts')
  | typeof import('./shares.ts')
  | typeof import('./timeline.ts')
  | typeof import('./slugs.ts')
  | typeof import('./tokens.ts')
  | typeof import('./trash.ts')
  | typeof import('./two-factor.ts')
  | typeof import('./upload.ts')
  | typeof import('./user.ts')
  | typeof import('./views.ts')
  | typeof import('./webhooks.ts');

type RoutesOf<Module> = Module extends unknown ? Extract<Module[keyof Module], Route> : never;

/** The routes of the contract by method and path, such as `GET /user`. Types only: a program that names routes this way loads no schema. */
export type Routes = { [R in RoutesOf<Modules> as `${R['method']} ${R['path']}`]: R };
export type RouteName = keyof Routes;

/** A route, declared or named. */
export type RouteOf<R extends Route | RouteName> = R extends RouteName ? Routes[R] : R extends Route ? R : never;
