import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { LanStatus } from '#api/desktop/lan.ts';

const lanQuery = (bridge: DesktopBridge) => queryOptions({ queryKey: ['desktop', 'lan'], queryFn: () => bridge.getLanStatus() });

/** What may keep other devices out. */
export const lanHelpQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'lan-help'], queryFn: () => bridge.getLanHelp(), gcTime: 0 });

/** The facts for choosing another address or port. */
export const portChangeQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'port'], queryFn: () => bridge.getPortChange(), gcTime: 0 });

/** The state of sharing on the local network, kept up to date; undefined until it is known. */
export function useLanStatus(bridge: DesktopBridge): LanStatus | undefined {
  const queryClient = useQueryClient();
  const { data } = useQuery(lanQuery(bridge));
  useEffect(() => bridge.onLanStatus((status) => queryClient.setQueryData(lanQuery(bridge).queryKey, status)), [bridge, queryClient]);
  return data;
}
