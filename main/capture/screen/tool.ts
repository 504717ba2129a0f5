import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reason } from '#main/base/reasons.ts';

/** A picture of the screen. `again`: takes one of the same region, where the tool reports which it was. */
export type Captured = ({ kind: 'file'; path: string } | { kind: 'bytes'; bytes: Uint8Array; ext: string }) & {
  again?: CaptureTool;
};

/** One way to take a picture of the screen. */
export interface CaptureTool {
  name: string;
  /** Programs without which it can't work; default: none. */
  needs?: readonly string[];
  /**
   * Resolves to undefined when the user cancelled. `folder`: empty, removed once the picture has been read.
   * @throws ToolMissing when it doesn't exist here; any other error when it failed
   */
  capture(folder: string): Promise<Captured | undefined>;
}

/** The tool isn't installed, or not supported by this desktop. */
export class ToolMissing extends Error {
  override name = 'ToolMissing';
}

/** Why no tool could take a picture: the message of each that failed. Empty: there is none. */
export class NoTool extends Error {
  override name = 'NoTool';
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super(failures.join(' '));
    this.failures = failures;
  }
}

/**
 * Captures with the first tool that exists; a tool that fails is followed by the next. `use` receives the picture, or undefined when the
 * user cancelled. @throws NoTool, or Reason if a tool gave one and none has failed otherwise
 */
export async function captureWith<T>(tools: readonly CaptureTool[], use: (captured: Captured | undefined) => Promise<T>): Promise<T> {
  const failures: string[] = [];
  let reason: Reason | undefined;
  for (const { name, capture } of tools) {
    const folder = await mkdtemp(join(tmpdir(), 'pixdock-capture-'));
    try {
      const captured = await capture(folder).catch((error: unknown) => {
        if (error instanceof Reason) reason = error;
        else if (!(error instanceof ToolMissing)) failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        return 'failed' as const;
      });
      if (captured !== 'failed') return await use(captured);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  throw reason && failures.length === 0 ? reason : new NoTool(failures);
}
