import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallOutput, DesktopBridge } from '#api/desktop/calls.ts';
import type { PreferenceChange } from '#api/desktop/preferences.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';

/** The state of the address for editors. Reading it retries a port that was taken. */
export const editorsQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'editors'], queryFn: () => bridge.getEditorsStatus(), gcTime: 0 });

/** The accounts that the app can upload with. */
export const accountsQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'accounts'], queryFn: () => bridge.getAccounts(), gcTime: 0 });

/** Milliseconds between checks whether the user has allowed it. */
const APPROVAL_INTERVAL = 2_000;

/** Whether the system starts the app at login. */
export const startAtLoginQuery = (bridge: DesktopBridge) =>
  queryOptions({
    queryKey: ['desktop', 'startAtLogin'],
    queryFn: () => bridge.getStartAtLogin(),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data === 'blocked' ? APPROVAL_INTERVAL : false),
  });

/** The installed version of the app. */
export const versionQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'version'], queryFn: () => bridge.getVersion(), staleTime: Number.POSITIVE_INFINITY });

/** Shows changes at once and reverts them if the app refuses. */
export function useChangeDesktop(bridge: DesktopBridge) {
  const queryClient = useQueryClient();
  const { queryKey } = desktopQuery(bridge);
  return useMutation({
    mutationFn: (change: PreferenceChange) => bridge.setPreferences(change),
    onMutate: (change) => {
      const before = queryClient.getQueryData<CallOutput<'getPreferences'>>(queryKey);
      if (before) queryClient.setQueryData(queryKey, { ...before, ...change });
      return { before };
    },
    onSuccess: (now) => queryClient.setQueryData(queryKey, now),
    onError: (_error, _change, context) => queryClient.setQueryData(queryKey, context?.before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: editorsQuery(bridge).queryKey }),
  });
}
