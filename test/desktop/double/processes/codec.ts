// Values over IPC as text: JSON, and what structured clone has beyond it. Both functions are also put into pages as source text,
// so each is self-contained and uses nothing of Node.

/** A value that JSON doesn't have, as {@link encode} writes it. */
interface Packed {
  is: string;
  name?: string;
  value?: unknown;
}

export function encode(value: unknown): string {
  const base64 = (bytes: Uint8Array) => {
    let text = '';
    for (let index = 0; index < bytes.length; index += 32_768) text += String.fromCharCode(...bytes.subarray(index, index + 32_768));
    return btoa(text);
  };
  const isPlain = (item: unknown) => item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
  const packObject = (item: object): Packed => {
    if (item instanceof Date) return { is: 'date', value: item.getTime() };
    if (item instanceof Map) return { is: 'map', value: pack([...item]) };
    if (item instanceof Set) return { is: 'set', value: pack([...item]) };
    if (item instanceof Error) return { is: 'error', name: item.name, value: item.message };
    if (item instanceof ArrayBuffer) return { is: 'buffer', value: base64(new Uint8Array(item)) };
    if (ArrayBuffer.isView(item)) return { is: 'bytes', value: base64(new Uint8Array(item.buffer, item.byteOffset, item.byteLength)) };
    return { is: 'object', value: Object.entries(item).map(([key, entry]) => [key, pack(entry)]) };
  };
  const pack = (item: unknown): unknown => {
    if (isPlain(item)) return item;
    if (Array.isArray(item)) return item.map(pack);
    if (item !== null && typeof item === 'object') return packObject(item);
    return { is: typeof item, value: String(item) };
  };
  return JSON.stringify(pack(value));
}

export function decode(text: string): unknown {
  const bytes = (base64: unknown) => Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0));
  const kinds: Record<string, (packed: Packed) => unknown> = {
    undefined: () => undefined,
    bigint: ({ value }) => BigInt(String(value)),
    number: ({ value }) => Number(value),
    date: ({ value }) => new Date(Number(value)),
    map: ({ value }) => new Map(unpack(value) as [unknown, unknown][]),
    set: ({ value }) => new Set(unpack(value) as unknown[]),
    error: ({ name, value }) => Object.assign(new Error(String(value)), { name }),
    buffer: ({ value }) => bytes(value).buffer,
    bytes: ({ value }) => bytes(value),
    object: ({ value }) => Object.fromEntries((value as [string, unknown][]).map(([key, entry]) => [key, unpack(entry)])),
  };
  const unpack = (item: unknown): unknown => {
    if (item === null || typeof item !== 'object') return item;
    return Array.isArray(item) ? item.map(unpack) : kinds[(item as Packed).is]?.(item as Packed);
  };
  return unpack(JSON.parse(text));
}

/** A structured clone. @throws Error with Electron's message */
export function cloned(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    throw new Error('An object could not be cloned.');
  }
}
