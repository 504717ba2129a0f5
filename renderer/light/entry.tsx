import type { ReactNode } from 'react';
import { SIGN_ON_FAULTS } from '#api/constants.ts';
import { RegisterPage } from '#renderer/features/auth/register-page.tsx';
import { codeInAddress, SetupPage } from '#renderer/features/auth/setup-page.tsx';
import { SignInPage } from '#renderer/features/auth/sign-in-page.tsx';
import type { LanguagePacks } from '#renderer/language/language.ts';
import { safePath } from '#renderer/safe-path.ts';
import { load } from '#renderer/service/connection.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { queryClient, start } from './start.tsx';

// The pages before someone is signed in: sign-in, registration and setup. The service sends them for a page that requires signing in, too.

const TEXTS: LanguagePacks = {
  en: async () => (await import('#renderer/i18n/en-entry.ts')).texts,
  zh: async () => (await import('#renderer/i18n/zh-entry.ts')).texts,
};

/** Where a signed-in user belongs: what they asked for, else their pictures. */
const enter = (path = '/') => location.replace(path);
/** Leaves the page blank until the browser has opened another. */
const elsewhere = (path: string) => {
  enter(path);
  return null;
};

async function entryPage(): Promise<ReactNode> {
  const config = await queryClient.fetchQuery(configQuery).catch(() => undefined); // the page shows the sign-in form, which reports errors
  const { pathname, search, hash } = location;
  if (config?.setup_required) {
    history.replaceState(null, '', `/setup${codeInAddress() ? hash : ''}`);
    return <SetupPage onCreated={() => enter()} />;
  }
  // What follows the # is kept out of `next`, which reaches the service when the user signs in elsewhere.
  const query = new URLSearchParams(search);
  if (pathname === '/phone') {
    const { PhonePage } = await load(() => import('#renderer/features/phone/phone-page.tsx'));
    return <PhonePage />;
  }
  if (pathname === '/setup') return elsewhere('/');
  const session = await queryClient.fetchQuery(sessionQuery).catch(() => undefined);
  if (pathname === '/register')
    return session?.user ? elsewhere('/') : <RegisterPage invite={query.get('invite')?.slice(0, 100)} onEnter={() => enter()} />;
  const isSignIn = pathname === '/sign-in' || pathname === '/login';
  const next = isSignIn ? safePath(query.get('next')) : safePath(pathname + search);
  if (session?.user) return elsewhere((next ?? '/') + hash);
  // The gallery is where sign-in leads anyway: a visitor who opens the site just signs in.
  const target = next === '/' ? undefined : next;
  const fault = isSignIn ? SIGN_ON_FAULTS.find((known) => known === query.get('error')) : undefined;
  history.replaceState(null, '', signInPath(target, fault) + hash);
  return <SignInPage next={target} fault={fault} onSignedIn={() => enter((target ?? '/') + hash)} />;
}

function signInPath(next?: string, error?: string): string {
  const query = new URLSearchParams({ ...(next && { next }), ...(error && { error }) }).toString();
  return query ? `/sign-in?${query}` : '/sign-in';
}

void start(entryPage, TEXTS);
