const MEMORY_SECTION = 5;

/**
 * Adds a limit, in pages of 64 KiB, to the memory that a WebAssembly module declares. Modules that Emscripten didn't build
 * grow their memory with an instruction, so the limit must be in the module.
 *
 * @throws RangeError when the module declares no memory
 */
export function withMemoryLimit(program: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < program.length; ) {
    const { value: length, end: body } = readNumber(program, at + 1);
    if (program[at] !== MEMORY_SECTION) {
      at = body + length;
      continue;
    }
    const { value: minimum } = readNumber(program, body + 2);
    // One memory, with a maximum, from … to ….
    const section = [1, 1, ...writeNumber(minimum), ...writeNumber(pages)];
    const rest = program.subarray(body + length);
    const head = [MEMORY_SECTION, ...writeNumber(section.length), ...section];
    const limited = new Uint8Array(at + head.length + rest.length);
    limited.set(program.subarray(0, at));
    limited.set(head, at);
    limited.set(rest, at + head.length);
    return limited;
  }
  throw new RangeError('The program declares no memory.');
}

/** Numbers are LEB128: seven bits per byte, lowest first. */
function readNumber(program: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0, end = at; ; shift += 7) {
    const byte = program[end++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...writeNumber(Math.floor(value / 0x80))];
}
