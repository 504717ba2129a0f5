import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { DesktopPage } from '#api/desktop/call.ts';
import { type CallAnswer, type CallOutput, type CallParsed, desktopCalls, desktopEvents, type EventPayload } from '#api/desktop/calls.ts';
import type { DesktopCall, DesktopEvent } from '#api/desktop/names.ts';
import { channelOf } from './base/channel.ts';

/** The page in a frame: the web application, one of the packaged pages, or null for anything else. */
export type PageKind = DesktopPage | null;

/** A window of the app. */
export interface KnownWindow {
  /** Undefined while it doesn't exist. */
  get(): BrowserWindow | undefined;
  /** Identifies those pages by their address that this window may show. */
  pageKind(url: string): PageKind;
}

export type Handlers = { [C in DesktopCall]: (...input: CallParsed<C>) => CallOutput<C> | Promise<CallOutput<C>> };

interface Options {
  /** Calls without a handler are refused. */
  handlers: Partial<Handlers>;
  windows: readonly KnownWindow[];
  /** The message that the user sees for an error. */
  describe(error: unknown): string;
}

/** Sends an event to the pages in the windows that may receive it. */
export type Tell = <E extends DesktopEvent>(event: E, payload: EventPayload<E>) => void;

interface Ipc {
  tell: Tell;
  /** Refuses all calls from then on. */
  close(): void;
}

/**
 * The only entry for calls from pages. The sender must be the main frame of one of our windows, showing a page of that window that may make
 * this call, and the arguments must match the contract.
 */
export function setupIpc({ handlers, windows, describe }: Options): Ipc {
  const mayCall = (name: DesktopCall, { sender, senderFrame }: IpcMainInvokeEvent) => {
    const known = windows.find((window) => window.get()?.webContents === sender);
    if (!senderFrame || senderFrame.parent !== null || !known) return false;
    const kind = known.pageKind(senderFrame.url);
    return kind !== null && isOneOf(desktopCalls[name].pages, kind);
  };

  async function respond<C extends DesktopCall>(name: C, event: IpcMainInvokeEvent, input: unknown[]): Promise<CallAnswer<C>> {
    if (!mayCall(name, event)) {
      console.warn(`The page ${event.senderFrame?.url.slice(0, 200)} may not call ${name}.`);
      return { ok: false, message: 'This page isn’t allowed to use the desktop app.' };
    }
    const parsed = desktopCalls[name].input.safeParse(input);
    if (!parsed.success) {
      console.warn(`The call ${name} has an invalid argument:`, parsed.error.issues[0]?.message);
      return { ok: false, message: `The call ${name} has an invalid argument.` };
    }
    const handle = handlers[name];
    if (!handle) return { ok: false, message: `The call ${name} isn’t available now.` };
    try {
      const value = await handle(...(parsed.data as CallParsed<C>));
      return { ok: true, value: desktopCalls[name].output.parse(value) as CallOutput<C> };
    } catch (error) {
      console.error(`The call ${name} failed:`, error);
      return { ok: false, message: describe(error) };
    }
  }

  const names = Object.keys(desktopCalls) as DesktopCall[];
  for (const name of names) {
    ipcMain.handle(channelOf(name), (event, ...input: unknown[]) => respond(name, event, input));
  }

  const tell: Tell = (event, payload) => {
    for (const { get, pageKind } of windows) {
      const contents = get()?.webContents;
      if (!contents || contents.isDestroyed()) continue;
      const kind = pageKind(contents.getURL());
      if (kind !== null && isOneOf(desktopEvents[event].pages, kind)) contents.send(channelOf(event), payload);
    }
  };
  return {
    tell,
    close() {
      for (const name of names) ipcMain.removeHandler(channelOf(name));
    },
  };
}

function isOneOf(pages: readonly string[], kind: string) {
  return pages.includes(kind);
}
