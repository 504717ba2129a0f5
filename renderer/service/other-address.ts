import { useQuery } from '@tanstack/react-query';
import { desktopBridge, isServed } from '#renderer/platform/bridge.ts';
import { getPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { compareAddresses, type OtherAddress, pairOf } from './compare-addresses.ts';
import { configQuery } from './queries.ts';

/** The difference between the page's address and the link address, until the user has decided to keep it in this browser. */
export function useOtherAddress(): OtherAddress | undefined {
  const preferences = usePreferences();
  const { data: config } = useQuery({ ...configQuery, enabled: isServed() });
  return config && otherAddress(config.base_url, preferences);
}

/** See {@link useOtherAddress}. */
export function otherAddress(linkAddress: string, { keptAddresses } = getPreferences()): OtherAddress | undefined {
  if (desktopBridge()) return undefined;
  const other = compareAddresses(location.origin, linkAddress);
  return other && keptAddresses === pairOf(other) ? undefined : other;
}
