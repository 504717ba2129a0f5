import { Skeleton } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { SignOnFault } from '#api/auth/oidc.ts';
import { SIGN_ON_FAULTS } from '#api/constants.ts';
import { NotFoundPage } from '#renderer/components/layout/not-found.tsx';
import { parseAdminFilters } from '#renderer/features/admin/filters.ts';
import { parseGallerySearch } from '#renderer/features/gallery/filters/search.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './components/layout/page-loading.module.css';
import { GalleryPage } from './features/gallery/gallery-page.tsx';
import { desktopBridge } from './platform/bridge.ts';
import { keepPlace } from './platform/place.ts';
import { safePath } from './safe-path.ts';
import { load } from './service/connection.ts';
import { configQuery, limitsQuery, sessionQuery } from './service/queries.ts';
import { CrashPage } from './shell/crash-page.tsx';
import { loadBanner, Shell } from './shell/shell.tsx';

interface Context {
  queryClient: QueryClient;
}

/** A page whose code is loaded when it is first opened. */
const page = <M extends Record<string, unknown>, Name extends keyof M>(get: () => Promise<M>, name: Name) =>
  lazyRouteComponent(() => load(get), name);

/** Of pages in the shell, once the shell is there. */
const inShell = { pendingComponent: PageLoading };

/** A route in the shell, without checks or search parameters. */
const leaf = <Parent extends AnyRoute, const Path extends string, M extends Record<string, unknown>, Name extends keyof M>(
  parent: Parent,
  path: Path,
  get: () => Promise<M>,
  name: Name,
) => createRoute({ getParentRoute: () => parent, path, component: page(get, name), ...inShell });

/** How long a page that is loading leaves the former one on the screen. */
const PENDING_MS = 300;

const config = ({ queryClient }: Context) => queryClient.ensureQueryData(configQuery);
const signedIn = async ({ queryClient }: Context) => (await queryClient.ensureQueryData(sessionQuery)).user;

/** Why a sign-on failed, from an address. */
function faultIn({ error }: Record<string, unknown>): { error?: SignOnFault } {
  const fault = SIGN_ON_FAULTS.find((known) => known === error);
  return fault ? { error: fault } : {};
}

interface Visit {
  context: Context;
  location: { href: string };
  cause: 'preload' | 'enter' | 'stay';
}

async function requireUser({ context, location, cause }: Visit) {
  // A user whose session has ended returns to the page they were on; a new visitor just signs in.
  const isVisitor = location.href === '/' && cause !== 'stay';
  if (!(await signedIn(context))) throw redirect({ to: '/sign-in', search: isVisitor ? {} : { next: location.href } });
}

async function leaveIfSignedIn({ context }: { context: Context }, to = '/') {
  if (await signedIn(context)) throw redirect({ href: to });
}

/** Opens a page that isn't part of the application. Never resolves, so that nothing is shown meanwhile. */
function leaveTo(path: string): Promise<never> {
  window.location.replace(path);
  return new Promise(() => undefined);
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  beforeLoad: async ({ context }) => {
    if ((await config(context)).setup_required) await leaveTo('/setup');
  },
});
const top = { getParentRoute: () => root };

/** Everything that requires signing in. */
const member = createRoute({
  ...top,
  id: 'member',
  beforeLoad: async (visit) => {
    await requireUser(visit);
    void visit.context.queryClient.prefetchQuery(limitsQuery);
    await loadBanner((await config(visit.context)).base_url, (await signedIn(visit.context))?.role);
  },
  component: Shell,
});
const inMember = { getParentRoute: () => member, ...inShell };

const settings = createRoute({
  ...inMember,
  path: '/settings',
  component: page(() => import('./features/settings/settings-layout.tsx'), 'SettingsLayout'),
});

/** The service enforces the role on every request. */
const admin = createRoute({
  ...inMember,
  path: '/admin',
  beforeLoad: async ({ context }) => {
    if ((await signedIn(context))?.role !== 'admin') throw redirect({ to: '/' });
  },
  component: page(() => import('./features/admin/admin-layout.tsx'), 'AdminLayout'),
});

// The pages for visitors are in light/; the application shows its own sign-in only when a session ends, so that uploads can continue after it.
// Lists of their own: within the call of addChildren, its parameter type would erase the routes' search parameters.
const publicPages = [
  createRoute({
    ...top,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>): { next?: string; error?: SignOnFault } => ({
      next: safePath(search.next),
      ...faultIn(search),
    }),
    beforeLoad: ({ context, search }) => leaveIfSignedIn({ context }, search.next),
    component: page(() => import('./features/auth/session-ended.tsx'), 'SessionEnded'),
  }),
  createRoute({
    ...top,
    path: '/connect',
    beforeLoad: requireUser,
    component: page(() => import('./features/connect/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    ...top,
    path: '/delete/$key/$secret',
    component: page(() => import('./features/delete-link/delete-page.tsx'), 'DeletePage'),
  }),
] as const;

const memberPages = [
  createRoute({ ...inMember, path: '/', validateSearch: parseGallerySearch, component: GalleryPage }),
  leaf(member, '/albums', () => import('./features/albums/albums-page.tsx'), 'AlbumsPage'),
  createRoute({
    ...inMember,
    path: '/albums/$albumId',
    validateSearch: parseGallerySearch,
    component: page(() => import('./features/gallery/album-page.tsx'), 'AlbumPage'),
  }),
  createRoute({
    ...inMember,
    path: '/albums/$albumId/add',
    validateSearch: parseGallerySearch,
    component: page(() => import('./features/gallery/add-page.tsx'), 'AddPage'),
  }),
  leaf(member, '/team', () => import('./features/albums/team-page.tsx'), 'TeamPage'),
  createRoute({
    ...inMember,
    path: '/sent',
    // The page compares what it says with what there is.
    validateSearch: (search: Record<string, unknown>) => search as { box?: 'out'; picture?: string; send?: string },
    component: page(() => import('./features/sent/sent-page.tsx'), 'SentPage'),
  }),
  leaf(member, '/duplicates', () => import('./features/gallery/duplicates/duplicates-page.tsx'), 'DuplicatesPage'),
  leaf(member, '/uploads', () => import('./features/desktop-uploads/uploads-page.tsx'), 'DesktopUploadsPage'),
  leaf(member, '/folders', () => import('./features/folders/folders-page.tsx'), 'FoldersPage'),
  createRoute({
    ...inMember,
    path: '/trash',
    validateSearch: (search: Record<string, unknown>) => ({ picture: parseGallerySearch(search).picture }),
    component: page(() => import('./features/gallery/trash/trash-page.tsx'), 'TrashPage'),
  }),
] as const;

const settingsPages = [
  createRoute({
    getParentRoute: () => settings,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: desktopBridge() ? '/settings/computer' : '/settings/appearance', replace: true });
    },
  }),
  leaf(settings, '/appearance', () => import('./features/settings/appearance-page.tsx'), 'AppearancePage'),
  leaf(settings, '/uploads', () => import('#renderer/features/settings/uploads/uploads-page.tsx'), 'UploadsPage'),
  leaf(settings, '/views', () => import('./features/settings/views-page.tsx'), 'ViewsPage'),
  leaf(settings, '/phone', () => import('#renderer/features/settings/phone/phone-page.tsx'), 'PhonePage'),
  leaf(settings, '/tokens', () => import('#renderer/features/settings/tokens/tokens-page.tsx'), 'TokensPage'),
  leaf(settings, '/sessions', () => import('#renderer/features/settings/account/sessions-page.tsx'), 'SessionsPage'),
  leaf(settings, '/computer', () => import('#renderer/features/settings/computer/computer-page.tsx'), 'ComputerPage'),
  createRoute({
    getParentRoute: () => settings,
    ...inShell,
    path: '/account',
    validateSearch: (search: Record<string, unknown>): { linked?: true; error?: SignOnFault } => ({
      ...(search.linked ? { linked: true } : {}),
      ...faultIn(search),
    }),
    component: page(() => import('#renderer/features/settings/account/account-page.tsx'), 'AccountPage'),
  }),
] as const;

const adminPages = [
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/admin/$section', params: { section: 'dashboard' }, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '$section',
    validateSearch: parseAdminFilters,
    component: page(() => import('./features/admin/admin-section.tsx'), 'AdminSection'),
  }),
] as const;

const routeTree = root.addChildren([
  ...publicPages,
  member.addChildren([...memberPages, settings.addChildren(settingsPages), admin.addChildren(adminPages)]),
]);

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0,
  });
  keepPlace(router);
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** In the place of a page whose code is on its way, so that a press shows its effect on a slow connection and during an outage. */
function PageLoading() {
  const { t } = useTranslation();
  return (
    <div className={classes.page} role="status" aria-label={t('common.loading')}>
      <Skeleton className={classes.title} />
      <Skeleton className={classes.block} />
    </div>
  );
}
