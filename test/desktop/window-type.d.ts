import type { DesktopBridge } from '#api/desktop.ts';

declare global {
  interface Window {
    pixdock?: DesktopBridge;
  }
}
