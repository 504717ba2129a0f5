import { EventEmitter } from 'node:events';
import type { IpcMain, IpcMainInvokeEvent } from 'electron';
import { nothing } from '#test/desktop/double/nothing.ts';
import { cloned } from './codec.ts';

type Handler = (event: IpcMainInvokeEvent, ...input: unknown[]) => unknown;

class DoubleIpcMain extends EventEmitter implements Pick<IpcMain, 'handle' | 'removeHandler'> {
  readonly #handlers = new Map<string, Handler>();

  constructor() {
    super();
    this.on('error', nothing);
  }

  handle(channel: string, handler: Handler) {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string) {
    this.#handlers.delete(channel);
  }

  /** A page's `ipcRenderer.invoke`. */
  async invoke(channel: string, event: IpcMainInvokeEvent, input: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return cloned(await handler(event, ...input));
  }
}

export const ipcMain = new DoubleIpcMain();
