import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { FoundPixdock, JoinState } from '#api/desktop/joining.ts';

/** The progress of a request for access. */
export function useJoinState(bridge: DesktopBridge): JoinState {
  const [state, setState] = useState<JoinState>({ state: 'idle' });
  useEffect(() => {
    let isLatest = true;
    const end = bridge.onJoinState((next) => {
      isLatest = false;
      setState(next);
    });
    void bridge.getJoinState().then((first) => isLatest && setState(first));
    return () => {
      isLatest = false;
      end();
    };
  }, [bridge]);
  return state;
}

/** Other Pixdock servers on the network; undefined until the first report. */
export function useFoundPixdocks(bridge: DesktopBridge): readonly FoundPixdock[] | undefined {
  const [found, setFound] = useState<readonly FoundPixdock[]>();
  useEffect(() => {
    const end = bridge.onFoundPixdocks(setFound);
    // Without a network to search, addresses can still be entered.
    bridge.findPixdocks().catch(() => setFound([]));
    return end;
  }, [bridge]);
  return found;
}
