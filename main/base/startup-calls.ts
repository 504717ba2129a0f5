import type { Ipc } from '#main/ipc.ts';
import { openLoginSettings } from './login-settings.ts';
import type { StartAtLogin } from './start-at-login.ts';

/** Handles the calls about starting at login. */
export function handleStartupCalls(ipc: Ipc, startAtLogin: StartAtLogin): void {
  ipc.handle({
    getStartAtLogin: startAtLogin.state,
    setStartAtLogin(on) {
      startAtLogin.set(on);
      return startAtLogin.state();
    },
    openLoginSettings: () => openLoginSettings(),
  });
}
