import { openLoginSettings } from '#main/base/system/login-settings.ts';
import type { StartAtLogin } from '#main/base/system/start-at-login.ts';
import type { Ipc } from '#main/ipc.ts';

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
