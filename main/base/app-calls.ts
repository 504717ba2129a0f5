import { app, type Clipboard } from 'electron';
import type { Ipc } from '#main/ipc.ts';

/** Handles the calls about the app itself. */
export function handleAppCalls(ipc: Ipc, clipboard: Pick<Clipboard, 'writeText'>): void {
  ipc.handle({
    getVersion: () => app.getVersion(),
    async copyText(text) {
      await clipboard.writeText(text);
      return undefined;
    },
  });
}
