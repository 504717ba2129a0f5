import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onLinkAddress } from '#renderer/bridge.ts';

/** Loads everything again when links start with another address, as after the desktop app's LAN switch: loaded pictures have the former links. */
export function useLinkAddress() {
  const queryClient = useQueryClient();
  useEffect(() => onLinkAddress(() => void queryClient.invalidateQueries()), [queryClient]);
}
