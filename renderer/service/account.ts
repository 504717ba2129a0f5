import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { changePreferences, Profile } from '#api/auth/user.ts';
import type { RouteInput } from '#api/contract.ts';
import type { WebLinkFormat } from '#api/sharing/link-formats.ts';
import { sendToDesktop } from '#renderer/platform/bridge.ts';
import { getPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { client } from './client.ts';
import { sessionQuery } from './queries.ts';

/** The user's account and preferences, which apply in every browser. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => client.call('GET /user', { signal }),
});

const CHANGING = ['change preferences'];

/** Shows changes at once and reverts them if the service refuses. */
export function useChangePreferences() {
  const queryClient = useQueryClient();
  const show = (change: Partial<Profile['preferences']>) =>
    queryClient.setQueryData(profileQuery.queryKey, (user) => user && { ...user, preferences: { ...user.preferences, ...change } });
  return useMutation({
    mutationKey: CHANGING,
    // In sequence, so that the last choice wins.
    scope: { id: 'preferences' },
    mutationFn: (body: RouteInput<typeof changePreferences>['body']) => client.call('PATCH /user/preferences', { body }),
    onMutate(change) {
      const before = queryClient.getQueryData(profileQuery.queryKey)?.preferences;
      show(change);
      return before;
    },
    onSuccess(preferences) {
      if (queryClient.isMutating({ mutationKey: CHANGING }) === 1) show(preferences);
    },
    onError: (_error, _change, before) => before && show(before),
  });
}

const isSignedIn = (queryClient: QueryClient) => !!queryClient.getQueryData(sessionQuery.queryKey)?.user;

/** The format of copied links: the account's; for guests, and until the account is loaded, this browser's. */
export function useLinkFormat(): WebLinkFormat {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const signedIn = !!session?.user;
  const { data: profile } = useQuery({ ...profileQuery, enabled: signedIn });
  const { linkFormat } = usePreferences();
  return (signedIn && profile?.preferences.link_format) || linkFormat;
}

/** The same outside of components, from loaded data. */
export function loadedLinkFormat(queryClient: QueryClient): WebLinkFormat {
  const profile = isSignedIn(queryClient) ? queryClient.getQueryData(profileQuery.queryKey) : undefined;
  return profile?.preferences.link_format ?? getPreferences().linkFormat;
}

/** Changes the format for the account and for the tray on this computer. */
export function useChooseLinkFormat(onError: (error: unknown) => void): (format: WebLinkFormat) => void {
  const { mutate } = useChangePreferences();
  return (link_format) => {
    mutate({ link_format }, { onError: (error) => onError(error) });
    void sendToDesktop({ linkFormat: link_format });
  };
}
