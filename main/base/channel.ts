import type { DesktopCall, DesktopEvent } from '#api/desktop.ts';

/** The IPC channel of a call or an event. In a file of its own, so that the preload script stays free of schemas. */
export const channelOf = (name: DesktopCall | DesktopEvent) => `pixdock:${name}`;
