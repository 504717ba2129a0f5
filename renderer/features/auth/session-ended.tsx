import { notifications, notificationsStore } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { User } from '#api/auth/auth.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { isSignedOut } from '#renderer/service/query-client.ts';
import { useUploads } from '#renderer/upload/queue/provider.tsx';
import { SignInPage } from './sign-in-page.tsx';

const route = getRouteApi('/sign-in');

/** The sign-in page inside the application, which keeps its uploads until someone has signed in again. */
export function SessionEnded() {
  const { next, error } = route.useSearch();
  const queryClient = useQueryClient();
  const router = useRouter();
  // They may quote what only the user may see. What says that the account has been deleted doesn't.
  useEffect(() => {
    notifications.cleanQueue();
    notifications.updateState(notificationsStore, (all) => all.filter((one) => one['data-outlives-session']));
  }, []);
  const waiting = useUploads().items.filter(({ error: failure }) => isSignedOut(failure)).length;
  const enter = async (user: User) => {
    queryClient.setQueryData(sessionQuery.queryKey, { user });
    await queryClient.fetchQuery({ ...configQuery, staleTime: 0 });
    await router.navigate({ href: next ?? '/', replace: true });
  };
  return <SignInPage next={next} fault={error} waiting={waiting} onSignedIn={enter} />;
}
