import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, StrictMode, useEffect, useState } from 'react';
import { CopyProvider } from '#renderer/components/copying/copying.tsx';
import { galleryQuery } from '#renderer/features/gallery/filters/search.ts';
import { load } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';
import { useLabelledTheme } from '#renderer/theme/use-labelled-theme.ts';
import { UploadProvider } from '#renderer/upload/queue/provider.tsx';
import { createAppRouter } from './router.tsx';
import { configQuery, sessionQuery } from './service/queries.ts';
import { createQueryClient } from './service/query-client.ts';

/** The same key as in document/early.js, which sets the colours before the first paint. */
export const colourScheme = localStorageColorSchemeManager({ key: 'pixdock.color-scheme' });

interface Parts {
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
}

/** The application’s parts besides its components. Requests what every page and the gallery need, while the texts load. */
export function createParts(): Parts {
  // The routes check the session again and redirect to sign-in.
  const queryClient = createQueryClient(() => void router.invalidate());
  const router = createAppRouter(queryClient);
  void queryClient.prefetchQuery(configQuery);
  void queryClient.prefetchQuery(sessionQuery);
  const { pathname, search } = router.latestLocation;
  if (pathname === '/') void queryClient.prefetchQuery(galleryQuery(search));
  return { queryClient, router };
}

export function App({ queryClient, router }: Parts) {
  return (
    <StrictMode>
      <MantineProvider theme={useLabelledTheme()} withCssVariables={false} colorSchemeManager={colourScheme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <NotificationArea />
          <CopyProvider>
            <UploadProvider>
              <RouterProvider router={router} />
            </UploadProvider>
          </CopyProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

const getOverlays = async () => (await import('#renderer/components/notices/overlays.tsx')).Overlays;

/** The notifications. Their code is loaded for the first one, or before it when the page is idle; until then, they queue. */
function NotificationArea() {
  const { length } = useNotifications().notifications;
  const [Overlays, setOverlays] = useState<ComponentType>();
  useLoadWhenIdle(getOverlays);
  useEffect(() => {
    // After a failure, the next notification tries again.
    if (length > 0) load(getOverlays).then((loaded) => setOverlays(() => loaded), reportError);
  }, [length]);
  return Overlays && <Overlays />;
}
