import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import 'virtual:theme.css';
import '#renderer/theme/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Preferences } from '#api/desktop/preferences.ts';
import { CopyProvider } from '#renderer/components/copying/copying.tsx';
import { Overlays } from '#renderer/components/notices/overlays.tsx';
import { i18n } from '#renderer/i18n/t.ts';
import { APP_TEXTS } from '#renderer/language/app-language.ts';
import { changeLanguage } from '#renderer/language/language.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { useLabelledTheme } from '#renderer/theme/use-labelled-theme.ts';
import { desktop as en } from '#texts/en/desktop/desktop.ts';
import { edit as editEn } from '#texts/en/desktop/edit.ts';
import { desktop as zh } from '#texts/zh/desktop/desktop.ts';
import { edit as editZh } from '#texts/zh/desktop/edit.ts';
import { DraftPage } from './edit/draft-page.tsx';
import { JoinedPage } from './joined/joined-page.tsx';
import { SetupPage } from './setup-page.tsx';

// The pages that the desktop app shows without a service of its own. They reach nothing but main, over the bridge.

const choiceOf = (language: Preferences['language']) => (language === 'system' ? 'auto' : language);

async function start() {
  const bridge = desktopBridge();
  const root = document.getElementById('root');
  if (!bridge || !root) throw new Error('This page belongs to the desktop app.');
  const setup = document.body.dataset.page === 'setup' ? await bridge.getSetup() : undefined;
  const { language } = setup ?? (await bridge.getPreferences());
  await changeLanguage(choiceOf(language), APP_TEXTS);
  bridge.onLanguageChanged((next) => void changeLanguage(choiceOf(next), APP_TEXTS));
  i18n.add('en', 'desktop', en).add('zh', 'desktop', zh);
  i18n.add('en', 'edit', editEn).add('zh', 'edit', editZh);
  // Main is always there.
  const queryClient = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' }, mutations: { networkMode: 'always' } } });
  createRoot(root).render(
    <StrictMode>
      <Page queryClient={queryClient}>
        {setup ? (
          <SetupPage bridge={bridge} setup={setup} />
        ) : document.body.dataset.page === 'edit' ? (
          <DraftPage bridge={bridge} />
        ) : (
          <JoinedPage bridge={bridge} />
        )}
      </Page>
    </StrictMode>,
  );
}

function Page({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <MantineProvider theme={useLabelledTheme()} withCssVariables={false} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Overlays />
        <CopyProvider>{children}</CopyProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

void start();
