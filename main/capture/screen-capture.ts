import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Reason } from '#main/base/reasons.ts';
import type { NewItem } from '#main/journal/item.ts';
import type { SourceOptions, Spool } from '#main/uploader/spool.ts';
import { captureName } from './capture-name.ts';
import { captureRegion, NoTool, type RegionTool } from './region/region.ts';
import type { ScreenPermission } from './screen-permission.ts';

/**
 * Lets the user select a region of the screen and keeps it in the spool; undefined when the user cancelled.
 * Rejects with a {@link Reason} while another one is open, when the system doesn't allow it, or when no tool works.
 */
export type ScreenCapture = (options?: SourceOptions) => Promise<NewItem | undefined>;

export function createScreenCapture(
  tools: readonly RegionTool[],
  permission: Pick<ScreenPermission, 'isGranted'>,
  spool: Spool,
): ScreenCapture {
  let open = false;
  return async (options) => {
    if (open) throw new Reason('captureOpen');
    if (!permission.isGranted()) throw new Reason('screenNotAllowed');
    open = true;
    try {
      return await captureRegion(tools, async (captured) => {
        if (!captured) return undefined;
        const { bytes, ext } =
          captured.kind === 'bytes' ? captured : { bytes: await readFile(captured.path), ext: extname(captured.path).slice(1) || 'png' };
        return spool.keep(bytes, captureName('screenshot', new Date(), ext), options);
      });
    } catch (error) {
      if (!(error instanceof NoTool)) throw error;
      if (error.failures.length === 0) throw new Reason('captureMissing', { cause: error });
      throw new Reason('captureFailed', { cause: error, detail: error.message });
    } finally {
      open = false;
    }
  };
}
