import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { changePreferences, Profile } from '#api/auth/user.ts';
import type { RouteInput } from '#api/contract.ts';
import type { LinkStyle, WebLinkFormat } from '#api/sharing/link-formats.ts';
import { DEFAULT_TEMPLATE } from '#api/sharing/link-template.ts';
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

/** How copied links are written: as the account says; for guests, and until the account is loaded, as this browser does. */
export function useLinkStyle(): LinkStyle {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const signedIn = !!session?.user;
  const { data: profile } = useQuery({ ...profileQuery, enabled: signedIn });
  const { linkFormat } = usePreferences();
  return styleOf(signedIn ? profile : undefined, linkFormat);
}

/** The same outside of components, from loaded data. */
export function loadedLinkStyle(queryClient: QueryClient): LinkStyle {
  const profile = isSignedIn(queryClient) ? queryClient.getQueryData(profileQuery.queryKey) : undefined;
  return styleOf(profile, getPreferences().linkFormat);
}

function styleOf(profile: Profile | undefined, linkFormat: WebLinkFormat): LinkStyle {
  const { link_format: format = linkFormat, link_template: template = DEFAULT_TEMPLATE } = profile?.preferences ?? {};
  return { format, template, separator: 'newline' };
}

/** Changes how links are written for the account and for the tray on this computer. */
export function useChangeLinkStyle(onError: (error: unknown) => void): (style: Pick<LinkStyle, 'format' | 'template'>) => void {
  const { mutate } = useChangePreferences();
  return ({ format, template }) => {
    mutate({ link_format: format, ...(format === 'custom' && { link_template: template }) }, { onError: (error) => onError(error) });
    void sendToDesktop({ linkFormat: format, ...(format === 'custom' && { linkTemplate: template }) });
  };
}
