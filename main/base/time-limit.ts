/** Settles like `promise`, or rejects with `tooLate()` after the given milliseconds. */
export async function within<T>(promise: Promise<T>, milliseconds: number, tooLate: () => Error): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(tooLate()), milliseconds);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
