import type { CDPSession } from 'playwright';

const PLACEHOLDER = /^electron-double-file:(\d+)$/;

/** Puts real paths where the preload runtime could only name a file of the page by number. A file without one becomes ''. `world`: the preload script's. */
export async function pathsOf(cdp: CDPSession, world: number, values: unknown[]): Promise<unknown[]> {
  return Promise.all(values.map((value) => replace(cdp, world, value)));
}

async function replace(cdp: CDPSession, world: number, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return pathsOf(cdp, world, value);
  const number = typeof value === 'string' ? PLACEHOLDER.exec(value)?.[1] : undefined;
  return number === undefined ? value : pathOf(cdp, world, number);
}

async function pathOf(cdp: CDPSession, contextId: number, number: string) {
  const { result } = await cdp.send('Runtime.evaluate', { expression: `__electronDoubleHost.file(${number})`, contextId });
  if (!result.objectId) throw new Error(`electron double: the page has no file ${number}`);
  return (await cdp.send('DOM.getFileInfo', { objectId: result.objectId })).path;
}
