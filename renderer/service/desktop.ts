import { queryOptions } from '@tanstack/react-query';
import type { DesktopBridge } from '#api/desktop.ts';

/** The settings of the desktop app on this computer. */
export const desktopQuery = (bridge: DesktopBridge) =>
  queryOptions({ queryKey: ['desktop', 'preferences'], queryFn: () => bridge.getPreferences() });
