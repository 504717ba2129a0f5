// Values over IPC as text: JSON, and what structured clone has beyond it. Both functions are also put into pages as source text,
// so each stands alone.

/** @param {unknown} value */
export function encode(value) {
  const base64 = (bytes) => {
    let text = '';
    for (let index = 0; index < bytes.length; index += 32_768) text += String.fromCharCode(...bytes.subarray(index, index + 32_768));
    return btoa(text);
  };
  const isPlain = (item) => item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
  const pack = (item) => {
    if (isPlain(item)) return item;
    if (item === undefined) return { is: 'undefined' };
    if (typeof item === 'bigint') return { is: 'bigint', value: String(item) };
    if (typeof item === 'number') return { is: 'number', value: String(item) };
    if (Array.isArray(item)) return item.map(pack);
    if (item instanceof Date) return { is: 'date', value: item.getTime() };
    if (item instanceof Map) return { is: 'map', value: pack([...item]) };
    if (item instanceof Set) return { is: 'set', value: pack([...item]) };
    if (item instanceof Error) return { is: 'error', name: item.name, value: item.message };
    if (item instanceof ArrayBuffer) return { is: 'buffer', value: base64(new Uint8Array(item)) };
    if (ArrayBuffer.isView(item)) return { is: 'bytes', value: base64(new Uint8Array(item.buffer, item.byteOffset, item.byteLength)) };
    return { is: 'object', value: Object.entries(item).map(([key, entry]) => [key, pack(entry)]) };
  };
  return JSON.stringify(pack(value));
}

/** @param {string} text */
export function decode(text) {
  const bytes = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const kinds = {
    undefined: () => undefined,
    bigint: ({ value }) => BigInt(value),
    number: ({ value }) => Number(value),
    date: ({ value }) => new Date(value),
    map: ({ value }) => new Map(unpack(value)),
    set: ({ value }) => new Set(unpack(value)),
    error: ({ name, value }) => Object.assign(new Error(value), { name }),
    buffer: ({ value }) => bytes(value).buffer,
    bytes: ({ value }) => bytes(value),
    object: ({ value }) => Object.fromEntries(value.map(([key, entry]) => [key, unpack(entry)])),
  };
  const unpack = (item) => {
    if (item === null || typeof item !== 'object') return item;
    return Array.isArray(item) ? item.map(unpack) : kinds[item.is](item);
  };
  return unpack(JSON.parse(text));
}
