import { GuestPage } from '#renderer/features/guest-upload/guest-page.tsx';
import type { LanguagePacks } from '#renderer/language/language.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { queryClient, start } from './start.tsx';

const TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en-guest.ts')).texts,
  zh: async () => (await import('#renderer/i18n/zh-guest.ts')).texts,
};

/** A user uploads in the application, and a new service is set up first. */
async function guestPage() {
  // If a request fails, the page reports it.
  const [config, session] = await Promise.allSettled([queryClient.fetchQuery(configQuery), queryClient.fetchQuery(sessionQuery)]);
  const elsewhere =
    config.status === 'fulfilled' && config.value.setup_required ? '/setup' : session.status === 'fulfilled' && session.value.user && '/';
  if (!elsewhere) return <GuestPage />;
  location.replace(elsewhere);
  return null;
}

void start(guestPage, TEXTS);
