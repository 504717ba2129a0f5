/** Stands in for a part of Electron that does nothing here. */
export function nothing() {
  return undefined;
}
