import { queryOptions } from '@tanstack/react-query';
import type { DesktopBridge } from '#api/desktop/calls.ts';

/** The settings of the desktop app on this computer. */
export const desktopQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'preferences'], queryFn: () => bridge.getPreferences() });

/** The albums of the account that the app uploads with. */
export const uploadAlbumsQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'albums'], queryFn: () => bridge.getAlbums(), gcTime: 0 });
