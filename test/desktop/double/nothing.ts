/** Stands for a part of Electron that has nothing to do here. */
export function nothing() {
  return undefined;
}
