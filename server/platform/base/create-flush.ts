/**
 * Makes the flush of a buffer. Each call resolves once everything that was buffered until then is stored, also what an earlier call is still storing.
 * @param store takes what is buffered at once, and never rejects
 */
export function createFlush(store: () => Promise<void>): () => Promise<void> {
  let stored = Promise.resolve();
  return () => {
    stored = Promise.all([stored, store()]).then(() => undefined);
    return stored;
  };
}
