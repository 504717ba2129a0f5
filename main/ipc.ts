import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { DesktopPage } from '#api/desktop/call.ts';
import { type CallOutput, type CallParsed, type CallResult, desktopCalls, desktopEvents, type EventPayload } from '#api/desktop/calls.ts';
import { CALL_NAMES, channelOf, type DesktopCall, type DesktopEvent } from '#api/desktop/names.ts';

/** The page in a frame: the web application, one of the packaged pages, or null for anything else. */
export type PageKind = DesktopPage | null;

/** Maximum number of changes that a part reports to pages per second. */
export const EVENTS_PER_SECOND = 4;

/** A window of the app. */
export interface KnownWindow {
  /** Undefined while it doesn't exist; several of a kind have the same pages. */
  windows(): readonly (BrowserWindow | undefined)[];
  /** The pages that it can show. */
  pages: readonly DesktopPage[];
  /** Identifies those pages by their address that this window may show. */
  pageKind(url: string): PageKind;
}

export type Handlers = { [C in DesktopCall]: (...input: CallParsed<C>) => CallOutput<C> | Promise<CallOutput<C>> };

interface Invocation<C extends DesktopCall> {
  name: C;
  handle: Handlers[C];
  event: IpcMainInvokeEvent;
  input: unknown[];
}

/** The connection to the pages: each part registers the calls that it handles, and sends its own events. */
export interface Ipc {
  /** Accepts calls from the pages of a window, or of several of a kind, and sends them events. */
  addWindow(window: KnownWindow): void;
  /** @throws Error if a call already has a handler */
  handle(handlers: Partial<Handlers>): void;
  /** Sends an event to the pages in the windows that may receive it. */
  tell<E extends DesktopEvent>(event: E, payload: EventPayload<E>): void;
  /** @throws Error unless every call that the windows' pages may make has a handler */
  requireHandlers(): void;
  /** Refuses all calls from then on. */
  close(): void;
}

/**
 * The only entry for calls from pages. The sender must be the main frame of one of our windows, showing a page of that window that may make
 * this call, and the arguments must match the contract.
 * @param describe returns the message that the user sees for an error
 */
export function createIpc(describe: (error: unknown) => string): Ipc {
  const windows: KnownWindow[] = [];
  const handled = new Set<DesktopCall>();

  const mayCall = (name: DesktopCall, { sender, senderFrame }: IpcMainInvokeEvent) => {
    const known = windows.find((known) => known.windows().some((window) => window?.webContents === sender));
    if (!senderFrame || senderFrame.parent !== null || !known) return false;
    const kind = known.pageKind(senderFrame.url);
    return kind !== null && isOneOf(desktopCalls[name].pages, kind);
  };

  async function respond<C extends DesktopCall>({ name, handle, event, input }: Invocation<C>): Promise<CallResult<C>> {
    if (!mayCall(name, event)) {
      console.warn(`The page ${event.senderFrame?.url.slice(0, 200)} may not call ${name}.`);
      return { ok: false, message: 'This page isn’t allowed to use the desktop app.' };
    }
    const parsed = desktopCalls[name].input.safeParse(input);
    if (!parsed.success) {
      console.warn(`The call ${name} has an invalid argument:`, parsed.error.issues[0]?.message);
      return { ok: false, message: `The call ${name} has an invalid argument.` };
    }
    try {
      const value = await handle(...(parsed.data as CallParsed<C>));
      return { ok: true, value: desktopCalls[name].output.parse(value) as CallOutput<C> };
    } catch (error) {
      console.error(`The call ${name} failed:`, error);
      return { ok: false, message: describe(error) };
    }
  }

  function handleCall<C extends DesktopCall>(name: C, handle: Handlers[C]) {
    ipcMain.handle(channelOf(name), (event, ...input: unknown[]) => respond({ name, handle, event, input }));
    handled.add(name);
  }

  return {
    addWindow: (known) => void windows.push(known),
    handle(handlers) {
      for (const name of CALL_NAMES) {
        const handle = handlers[name];
        if (handle) handleCall(name, handle);
      }
    },
    tell(event, payload) {
      for (const { windows: all, pageKind } of windows)
        for (const window of all()) {
          const contents = window?.webContents;
          if (!contents || contents.isDestroyed()) continue;
          const kind = pageKind(contents.getURL());
          if (kind !== null && isOneOf(desktopEvents[event].pages, kind)) contents.send(channelOf(event), payload);
        }
    },
    requireHandlers() {
      const pages = windows.flatMap((window) => window.pages);
      const missing = CALL_NAMES.filter((name) => !handled.has(name) && pages.some((page) => isOneOf(desktopCalls[name].pages, page)));
      if (missing.length > 0) throw new Error(`Calls without a handler: ${missing.join(', ')}.`);
    },
    close() {
      for (const name of handled) ipcMain.removeHandler(channelOf(name));
    },
  };
}

function isOneOf(pages: readonly string[], kind: string) {
  return pages.includes(kind);
}
