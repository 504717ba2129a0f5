import type { Handlers } from '#main/ipc.ts';
import type { Joining } from './join.ts';

interface Parts {
  joining: Joining;
  /** Opens a page in the user's browser. */
  openOutside(url: string): void;
}

type Calls = 'cancelJoining' | 'confirmJoining' | 'getJoinState' | 'openApproval';

/** Handlers of the calls about a request for access, from either page that can make one. */
export function joiningHandlers({ joining, openOutside }: Parts): Pick<Handlers, Calls> {
  return {
    cancelJoining: () => void joining.cancel(),
    confirmJoining: () => void joining.confirm(),
    getJoinState: () => joining.state(),
    openApproval() {
      const state = joining.state();
      if (state.state === 'waiting') openOutside(state.verifyUrl);
      return undefined;
    },
  };
}
