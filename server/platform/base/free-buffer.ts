/**
 * Frees a buffer's memory at once; what is left of it is empty. Only for a buffer that nothing else uses, not even a call of the system that is
 * still running. Small ones, which Node may share, are left to the garbage collector. It would leave megabytes of the others, and each time
 * it has to free them, it walks through the whole heap (decision 105).
 */
export function freeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
