import type { DesktopCall, DesktopEvent } from '#api/desktop/names.ts';

/** The IPC channel of a call or an event. A separate file keeps schemas out of the preload script. */
export const channelOf = (name: DesktopCall | DesktopEvent) => `pixdock:${name}`;
