/** Makes every use of a destroyed object throw, as Electron does, except of what events need. `own`: its properties besides the methods. */
export function breakDestroyed(target: object, own: readonly string[]) {
  const refuse = () => {
    throw new TypeError('Object has been destroyed');
  };
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(target)).filter(
    (name) => !['constructor', 'isDestroyed'].includes(name),
  );
  for (const name of methods) Object.defineProperty(target, name, { value: refuse });
  for (const name of own) Object.defineProperty(target, name, { get: refuse });
}
