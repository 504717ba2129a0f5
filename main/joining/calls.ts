import type { Ipc } from '#main/ipc.ts';
import type { Joining } from './join.ts';

interface Parts {
  joining: Joining;
  /** Opens a page in the user's browser. */
  openOutside(url: string): void;
}

/** Handles the calls about a request for access, from either page that can make one, and reports its state. */
export function connectJoining(ipc: Ipc, { joining, openOutside }: Parts): void {
  joining.onChange((state) => ipc.tell('joinState', state));
  ipc.handle({
    cancelJoining: () => void joining.cancel(),
    confirmJoining: () => void joining.confirm(),
    getJoinState: () => joining.state(),
    openApproval() {
      const state = joining.state();
      if (state.state === 'waiting') openOutside(state.verifyUrl);
      return undefined;
    },
  });
}
