import type { CDPSession } from 'playwright';

const PLACEHOLDER = /^electron-double-file:(\d+)$/;

/** Puts real paths where the preload runtime could only name a file of the page by number. A file without one becomes ''. */
export async function pathsOf(cdp: CDPSession, values: unknown[]): Promise<unknown[]> {
  return Promise.all(values.map((value) => replace(cdp, value)));
}

async function replace(cdp: CDPSession, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return pathsOf(cdp, value);
  const number = typeof value === 'string' ? PLACEHOLDER.exec(value)?.[1] : undefined;
  return number === undefined ? value : pathOf(cdp, number);
}

async function pathOf(cdp: CDPSession, number: string) {
  const { result } = await cdp.send('Runtime.evaluate', { expression: `__electronDoubleHost.file(${number})` });
  if (!result.objectId) throw new Error(`electron double: the page has no file ${number}`);
  return (await cdp.send('DOM.getFileInfo', { objectId: result.objectId })).path;
}
