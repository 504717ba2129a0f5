import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyProvider } from './components/copying.tsx';
import { createAppRouter } from './router.tsx';
import { load } from './service/connection.ts';
import { createQueryClient } from './service/query-client.ts';
import { cssVariables, theme } from './theme.ts';
import { UploadProvider } from './upload/provider.tsx';

const Overlays = lazy(() => load(() => import('./components/overlays.tsx')).then((module) => ({ default: module.Overlays })));

/** The same key as in public/scheme.js, which sets the colours before the first paint. */
const colourScheme = localStorageColorSchemeManager({ key: 'pixdock.color-scheme' });

function createParts() {
  // The routes check the session again and redirect to sign-in.
  const queryClient = createQueryClient(() => void router.invalidate());
  const router = createAppRouter(queryClient);
  return { queryClient, router };
}

export function App() {
  const [{ queryClient, router }] = useState(createParts);
  const { t } = useTranslation();
  const labelled = useMemo(() => {
    const closeButtonProps = { 'aria-label': t('common.close') };
    return mergeThemeOverrides(theme, {
      components: {
        Modal: { defaultProps: { ...theme.components?.Modal?.defaultProps, closeButtonProps } },
        Notification: { defaultProps: { closeButtonProps } },
      },
    });
  }, [t]);
  return (
    <StrictMode>
      <MantineProvider theme={labelled} cssVariablesResolver={cssVariables} colorSchemeManager={colourScheme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <Suspense>
            <Overlays />
          </Suspense>
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
