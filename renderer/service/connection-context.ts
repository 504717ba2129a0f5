import { createContext, use, useSyncExternalStore } from 'react';
import { Connection } from './connection.ts';

export const ConnectionContext = createContext(new Connection());

/** True while the service does not answer. */
export function useConnectionLost(): boolean {
  const connection = use(ConnectionContext);
  return useSyncExternalStore(connection.subscribe, connection.isLost);
}
