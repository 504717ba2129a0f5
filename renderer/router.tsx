import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { SIGN_ON_FAULTS } from '#api/constants.ts';
import type { SignOnFault } from '#api/oidc.ts';
import { GalleryPage } from './features/gallery/gallery-page.tsx';
import { parseGallerySearch } from './features/gallery/search.ts';
import { load } from './service/connection.ts';
import { configQuery, limitsQuery, sessionQuery } from './service/queries.ts';
import { CrashPage, NotFoundPage } from './shell/error-pages.tsx';
import { Shell } from './shell/shell.tsx';

interface Context {
  queryClient: QueryClient;
}

/** Only a path of this page: a link in a mail must not be able to lead elsewhere after sign-in. */
const safePath = (value: unknown) => (typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined);

const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const config = await queryClient.ensureQueryData(configQuery);
    if (config.setup_required && location.pathname !== '/setup') throw redirect({ to: '/setup' });
  },
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  beforeLoad: async ({ context: { queryClient } }) => {
    const config = await queryClient.ensureQueryData(configQuery);
    if (!config.setup_required) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => load(() => import('./features/auth/setup-page.tsx')), 'SetupPage'),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; error?: SignOnFault } => ({
    next: safePath(search.next),
    error: SIGN_ON_FAULTS.find((fault) => fault === search.error),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ href: search.next ?? '/' });
  },
  component: lazyRouteComponent(() => load(() => import('./features/auth/sign-in-page.tsx')), 'SignInPage'),
});

/** The name by which the service and other programs know the page for signing in. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/sign-in', search, replace: true });
  },
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  validateSearch: (search: Record<string, unknown>): { invite?: string } => ({
    invite: typeof search.invite === 'string' ? search.invite.slice(0, 100) : undefined,
  }),
  beforeLoad: async ({ context: { queryClient } }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./features/auth/register-page.tsx'), 'RegisterPage'),
});

const shareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$key',
  component: lazyRouteComponent(() => load(() => import('./features/share/share-page.tsx')), 'SharePage'),
});

const publicAlbumRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/a/$id',
  validateSearch: (search: Record<string, unknown>): { picture?: string } => ({
    picture: typeof search.picture === 'string' && /^[0-9A-Za-z]{12}$/.test(search.picture) ? search.picture : undefined,
  }),
  component: lazyRouteComponent(() => load(() => import('./features/public-album/public-album-page.tsx')), 'PublicAlbumPage'),
});

const deleteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/delete/$key/$secret',
  component: lazyRouteComponent(() => load(() => import('./features/delete-link/delete-page.tsx')), 'DeletePage'),
});

/** Where people without an account upload, when this Pixdock lets them. */
const guestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/upload',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => load(() => import('./features/guest-upload/guest-page.tsx')), 'GuestPage'),
});

/** Everything that needs a signed-in person. */
const memberRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  beforeLoad: async ({ context: { queryClient }, location, cause }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    // Whoever was here already is told that their session has ended; a visitor just signs in.
    const stranger = location.href === '/' && cause !== 'stay';
    if (!user) throw redirect({ to: '/sign-in', search: stranger ? {} : { next: location.href } });
    void queryClient.prefetchQuery(limitsQuery);
  },
  component: Shell,
});

const galleryRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/',
  validateSearch: parseGallerySearch,
  component: GalleryPage,
});

const albumsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/albums',
  component: lazyRouteComponent(() => load(() => import('./features/albums/albums-page.tsx')), 'AlbumsPage'),
});
const albumRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/albums/$albumId',
  validateSearch: parseGallerySearch,
  component: lazyRouteComponent(() => load(() => import('./features/gallery/album-page.tsx')), 'AlbumPage'),
});
const trashRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/trash',
  component: lazyRouteComponent(() => load(() => import('./features/trash/trash-page.tsx')), 'TrashPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/settings',
  component: lazyRouteComponent(() => load(() => import('./features/settings/settings-layout.tsx')), 'SettingsLayout'),
});
const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/appearance', replace: true });
  },
});
const appearanceRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/appearance',
  component: lazyRouteComponent(() => load(() => import('./features/settings/appearance-page.tsx')), 'AppearancePage'),
});
const tokensRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => load(() => import('./features/settings/tokens-page.tsx')), 'TokensPage'),
});
const uploadsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/uploads',
  component: lazyRouteComponent(() => load(() => import('./features/settings/uploads-page.tsx')), 'UploadsPage'),
});
const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => load(() => import('./features/settings/sessions-page.tsx')), 'SessionsPage'),
});
const computerRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/computer',
  component: lazyRouteComponent(() => load(() => import('./features/settings/computer-page.tsx')), 'ComputerPage'),
});
const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/account',
  component: lazyRouteComponent(() => load(() => import('./features/settings/account-page.tsx')), 'AccountPage'),
});

/** Only for administrators; the service itself refuses everybody else. */
const adminRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/admin',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    if (user?.role !== 'admin') throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => load(() => import('./features/admin/admin-layout.tsx')), 'AdminLayout'),
});
const adminIndexRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/$section', params: { section: 'dashboard' }, replace: true });
  },
});
const adminSectionRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '$section',
  component: lazyRouteComponent(() => load(() => import('./features/admin/admin-section.tsx')), 'AdminSection'),
});

const routeTree = rootRoute.addChildren([
  setupRoute,
  signInRoute,
  loginRoute,
  registerRoute,
  shareRoute,
  publicAlbumRoute,
  deleteRoute,
  guestRoute,
  memberRoute.addChildren([
    galleryRoute,
    albumsRoute,
    albumRoute,
    trashRoute,
    adminRoute.addChildren([adminIndexRoute, adminSectionRoute]),
    settingsRoute.addChildren([settingsIndexRoute, appearanceRoute, uploadsRoute, tokensRoute, sessionsRoute, computerRoute, accountRoute]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
