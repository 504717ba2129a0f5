import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CAPTURE_MODES, type CaptureDelay, type CaptureMode } from '#api/desktop/capture.ts';
import { Reason } from '#main/base/reasons.ts';
import type { NewItem } from '#main/journal/item.ts';
import type { SourceOptions, Spool } from '#main/uploader/spool.ts';
import { captureName } from '../capture-name.ts';
import type { ScreenPermission } from './permission.ts';
import { type Captured, type CaptureTool, captureWith, NoTool } from './tool.ts';
import type { CaptureTools } from './tools.ts';

export interface CaptureOptions extends SourceOptions {
  mode?: CaptureMode;
  /** Seconds to wait first. */
  delay?: CaptureDelay;
}

/** Takes pictures of the screen. */
export interface ScreenCapture {
  /**
   * Keeps a picture of the screen in the spool; undefined when the user cancelled. Rejects with a {@link Reason} while another capture is
   * open, when the system doesn't allow it, or when no tool works.
   */
  take(options?: CaptureOptions): Promise<NewItem | undefined>;
  /** What can be captured now. */
  modes(): CaptureMode[];
  /** Calls back when that has changed. */
  onChange(listener: () => void): void;
}

interface Options {
  tools: CaptureTools;
  permission: Pick<ScreenPermission, 'isGranted'>;
  spool: Spool;
  /** Takes the picture without the app's own windows in it that lie above all others. */
  aside<T>(take: () => Promise<T>): Promise<T>;
  wait?(milliseconds: number): Promise<unknown>;
}

export function createScreenCapture({ tools, permission, spool, aside, wait = delay }: Options): ScreenCapture {
  const changes = new EventEmitter<{ change: [] }>();
  let isOpen = false;
  /** Takes the last region once more. */
  let again: CaptureTool | undefined;

  const toolsFor = (mode: CaptureMode) => (mode === 'last-region' ? [again].filter((tool) => tool !== undefined) : tools[mode]);

  function remember(captured: Captured, mode: CaptureMode) {
    if (mode !== 'region') return;
    again = captured.again;
    changes.emit('change');
  }

  return {
    modes: () => CAPTURE_MODES.filter((mode) => mode === 'region' || toolsFor(mode).length > 0),
    onChange: (listener) => void changes.on('change', listener),
    async take({ mode = 'region', delay: seconds = 0, ...options } = {}) {
      if (isOpen) throw new Reason('captureOpen');
      if (!permission.isGranted()) throw new Reason('screenNotAllowed');
      if (mode === 'last-region' && !again) throw new Reason('captureNoRegion');
      isOpen = true;
      try {
        if (seconds > 0) await wait(seconds * 1000);
        const use = async (captured: Captured | undefined) => {
          if (!captured) return undefined;
          remember(captured, mode);
          const { bytes, ext } =
            captured.kind === 'bytes' ? captured : { bytes: await readFile(captured.path), ext: extname(captured.path).slice(1) || 'png' };
          return spool.keep(bytes, captureName('screenshot', new Date(), ext), options);
        };
        return await aside(() => captureWith(toolsFor(mode), use));
      } catch (error) {
        if (!(error instanceof NoTool)) throw error;
        if (error.failures.length === 0) throw new Reason(mode === 'region' ? 'captureMissing' : 'captureModeMissing', { cause: error });
        throw new Reason('captureFailed', { cause: error, detail: error.message });
      } finally {
        isOpen = false;
      }
    },
  };
}
