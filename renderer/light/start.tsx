import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { type Copy, CopyContext } from '#renderer/components/copying/copy-context.ts';
import { addTexts, changeLanguage, type LanguagePacks } from '#renderer/language/language.ts';
import { copyText } from '#renderer/platform/clipboard.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { loadBeside } from '#renderer/service/beside.ts';
import { load } from '#renderer/service/connection.ts';
import { useOtherAddress } from '#renderer/service/other-address.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { createQueryClient } from '#renderer/service/query-client.ts';
import 'virtual:theme.css';
import '#renderer/theme/global.css';
import './light.css';

const CopyByHand = lazy(() => load(() => import('#renderer/plain/copy-by-hand.tsx')).then((module) => ({ default: module.CopyByHand })));

const CopiedElsewhere = lazy(() =>
  load(() => import('#renderer/plain/copied-elsewhere.tsx')).then((module) => ({ default: module.CopiedElsewhere })),
);

const LIGHT_TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en-light.ts')).texts,
  zh: async () => (await import('#renderer/i18n/zh-light.ts')).texts,
};

const VIEWER_TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en-viewer.ts')).texts,
  zh: async () => (await import('#renderer/i18n/zh-viewer.ts')).texts,
};

/** Has the viewer's texts loaded with the first part of the page that isn't in its first file. */
export const loadViewerTexts = () => loadBeside(() => addTexts(VIEWER_TEXTS));

/** Everything a light page reads from the service. */
export const queryClient = createQueryClient(() => location.reload());

let shownRoot: Root | undefined;

/** Ends the page. Only tests do, which open several in one document. */
export const stop = () => shownRoot?.unmount();

/** Shows a page of its own: with the texts of its language, but without the application around it. */
export async function start(page: () => ReactNode | Promise<ReactNode>, texts: LanguagePacks = LIGHT_TEXTS): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  followSystemColours();
  // Every page shows the site's name and who is signed in: requested while the texts load.
  void queryClient.prefetchQuery(configQuery);
  void queryClient.prefetchQuery(sessionQuery);
  const [shown] = await Promise.all([page(), changeLanguage(getPreferences().language, texts)]);
  shownRoot = createRoot(root);
  shownRoot.render(
    <QueryClientProvider client={queryClient}>
      <Copying>{shown}</Copying>
    </QueryClientProvider>,
  );
}

function Copying({ children }: { children: ReactNode }) {
  const [byHand, setByHand] = useState<string>();
  const [elsewhere, setElsewhere] = useState(false);
  const other = useOtherAddress();
  const copy = useCallback<Copy>(
    async (text, { quiet = false } = {}) => {
      const copied = await copyText(text);
      if (copied && other && text.includes(other.links)) setElsewhere(true);
      if (!copied && !quiet) setByHand(text);
      return copied;
    },
    [other],
  );
  return (
    <CopyContext value={copy}>
      {children}
      {elsewhere && other && (
        <Suspense>
          <CopiedElsewhere other={other} onClose={() => setElsewhere(false)} />
        </Suspense>
      )}
      {byHand !== undefined && (
        <Suspense>
          <CopyByHand text={byHand} onClose={() => setByHand(undefined)} />
        </Suspense>
      )}
    </CopyContext>
  );
}

/** What document/early.js did before the first paint, again whenever the system changes. */
function followSystemColours(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    const { dataset } = document.documentElement;
    const chosen = readScheme();
    if (chosen === 'auto') dataset.mantineColorScheme = matches ? 'dark' : 'light';
  });
}

function readScheme(): string {
  try {
    return localStorage.getItem('pixdock.color-scheme') ?? 'auto';
  } catch {
    return 'auto'; // storage is blocked
  }
}
