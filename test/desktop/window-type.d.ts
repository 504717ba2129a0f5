import type { DesktopBridge } from '#api/desktop/calls.ts';

declare global {
  interface Window {
    pixdock?: DesktopBridge;
  }
}
