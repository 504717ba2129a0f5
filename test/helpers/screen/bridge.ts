import { z } from 'zod';
import {
  type CallOutput,
  type CallParsed,
  type DesktopBridge,
  desktopCalls,
  desktopEvents,
  type EventPayload,
} from '#api/desktop/calls.ts';
import type { DesktopCall, DesktopEvent } from '#api/desktop/names.ts';

/** The status of a queue without uploads. */
export const NO_UPLOADS: EventPayload<'uploadStatus'> = {
  drafts: 0,
  sending: 0,
  queued: 0,
  paused: 0,
  failed: 0,
  forOthers: 0,
  done: 0,
  doneToday: 0,
  finished: 0,
  isPaused: false,
  isWaiting: false,
};

/** What every page in the window asks for. */
const USUAL: BridgeCalls = {
  getServiceStatus: () => ({ state: 'running', url: location.origin, linkAddress: location.origin }),
  getUploadStatus: () => NO_UPLOADS,
};

/** What the desktop app does when its page calls it: functions by the names of the calls. */
export type BridgeCalls = {
  [C in Exclude<DesktopCall, 'uploadPaths' | 'uploadPasted'>]?: (...input: CallParsed<C>) => CallOutput<C> | Promise<CallOutput<C>>;
} & Partial<Pick<DesktopBridge, 'platform' | 'uploadFiles'>>;

/** The desktop app's functions at the contract, as the fake service is: calls and what they return are parsed with their schemas. */
export class FakeBridge {
  readonly bridge: DesktopBridge;
  readonly #listeners = new Map<string, Set<(payload: never) => void>>();

  /** @param faults gets what breaks the contract */
  constructor({ platform = 'linux', uploadFiles, ...calls }: BridgeCalls, faults: string[]) {
    const fault = (what: string): never => {
      faults.push(what);
      throw new Error(what);
    };
    const given: Record<string, unknown> = { ...USUAL, ...calls };
    const functions = Object.entries(desktopCalls).map(([name, { input, output }]) => [
      name,
      async (...values: unknown[]) => {
        const call = given[name] as ((...parsed: unknown[]) => unknown) | undefined;
        const parsed = input.safeParse(values);
        if (!call) return fault(`no function for the call ${name} of the desktop app`);
        if (!parsed.success) return fault(`the call ${name} isn’t valid: ${z.prettifyError(parsed.error)}`);
        const result = output.safeParse(await call(...(parsed.data as unknown[])));
        return result.success ? result.data : fault(`the result of ${name} breaks the contract: ${z.prettifyError(result.error)}`);
      },
    ]);
    const subscriptions = Object.keys(desktopEvents).map((name) => [
      `on${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      (listener: (payload: never) => void) => {
        const listeners = this.#listeners.get(name) ?? new Set();
        this.#listeners.set(name, listeners.add(listener));
        return () => listeners.delete(listener);
      },
    ]);
    const others = { platform, uploadFiles: uploadFiles ?? (async () => fault('no function for uploadFiles of the desktop app')) };
    this.bridge = { ...Object.fromEntries([...functions, ...subscriptions]), ...others } as DesktopBridge;
  }

  /** Sends an event of the app to the page. */
  emit<E extends DesktopEvent>(name: E, payload: EventPayload<E>): void {
    desktopEvents[name].payload.parse(payload);
    for (const listener of this.#listeners.get(name) ?? []) (listener as (payload: EventPayload<E>) => void)(payload);
  }
}
