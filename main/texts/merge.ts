type Merged<P> = (P extends unknown ? (part: P) => void : never) extends (part: infer All) => void ? All : never;

/** The texts of all parts. @throws Error if two parts have a text of the same name, one of which would never be shown */
export function merge<P extends object[]>(...parts: P): Merged<P[number]> {
  const all = {};
  for (const part of parts) {
    for (const key of Object.keys(part)) if (key in all) throw new Error(`Two texts have the name “${key}”.`);
    Object.assign(all, part);
  }
  return all as Merged<P[number]>;
}
