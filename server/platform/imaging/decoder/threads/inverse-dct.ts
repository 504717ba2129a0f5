import type { LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { type Exported, type Memory, type Table, wasm } from './wasm.ts';

/** What libheif gives its extension. */
interface Host {
  readonly libheif: Pick<LibHeif, '_malloc' | '_free' | 'heif_get_version'>;
  readonly memory: Memory;
  readonly table: Table;
}

/** The version of libheif-js for which the places below were found. */
const VERSION = '1.23.2';

/**
 * The sizes of blocks, and where libheif-js keeps the functions that transform them, add them to the picture and clip the sums: libde265 calls
 * these through pointers, so that processors with special instructions can have functions of their own.
 */
const PLACES = [4, 8, 16, 32].map((side, index) => ({ side, name: `add${side}`, place: 1999 + index }));

/** The extension's matrix, its tables and its stack, each at a multiple of 16. */
const TABLES_AT = 1_024;
const STACK_AT = 16_384;
const SPACE = STACK_AT + 16;

/** A block's coefficients, and in front of them its pixels, one row after the other. */
const BLOCK_BYTES = 32 * 32 * 3;

/**
 * Replaces libde265's inverse transforms for 8 bits, which take more than half of its time, with ones that use SIMD and give the same results.
 * Nothing is replaced where the processor lacks these instructions, or if a trial shows that libheif's functions are others.
 * @returns whether they have been replaced
 */
export function installTransforms(host: Host): boolean {
  if (host.libheif.heif_get_version() !== VERSION || !wasm.validate(TRANSFORMS)) return false;
  const fast = instantiate(host);
  const own = PLACES.map(({ place }) => host.table.get(place));
  if (!PLACES.every(({ side, name }, index) => agree(host, side, own[index], fast[name]))) return false;
  for (const { name, place } of PLACES) host.table.set(place, fast[name] as Exported);
  return true;
}

function instantiate({ libheif, memory, table }: Host): Readonly<Record<string, Exported>> {
  const base = aligned(libheif._malloc(SPACE + 16));
  const { exports } = new wasm.Instance(new wasm.Module(TRANSFORMS), {
    env: {
      memory,
      __memory_base: base,
      __stack_pointer: new wasm.Global({ value: 'i32', mutable: true }, base + STACK_AT),
      __indirect_function_table: table,
      __table_base: 0,
    },
  });
  const functions = exports as Readonly<Record<string, Exported>>;
  functions.prepare?.(base + TABLES_AT);
  return functions;
}

const aligned = (address: number) => Math.ceil(address / 16) * 16;

/** Transforms one block with both functions. */
function agree({ libheif, memory }: Host, side: number, own: Exported | null | undefined, fast: Exported | undefined): boolean {
  if (!own || !fast || own.length !== fast.length) return false;
  const block = libheif._malloc(BLOCK_BYTES + 16);
  const [pixelsAt, coefficientsAt] = [aligned(block), aligned(block) + 32 * 32];
  const results = [own, fast].map((transform) => {
    const pixels = new Uint8Array(memory.buffer, pixelsAt, side * side).fill(128);
    const coefficients = new Int16Array(memory.buffer, coefficientsAt, side * side);
    for (let at = 0; at < coefficients.length; at++) coefficients[at] = ((at * 7_919) % 509) - 254;
    transform(pixelsAt, coefficientsAt, side);
    return Buffer.from(pixels);
  });
  libheif._free(block);
  return results[0]?.equals(results[1] ?? Buffer.alloc(0)) ?? false;
}

/** WebAssembly, compiled from inverse-dct.c as described there. */
const TRANSFORMS: Uint8Array = Buffer.from(
  [
    'AGFzbQEAAAAAEAhkeWxpbmsuMAEFhAQEAAABEwRgAABgAX8AYAJ/fwBgA39/fwACcQUDZW52Bm1lbW9yeQIAAQNlbnYZX19pbmRpcmVjdF9mdW5jdGlvbl90YWJsZQFw',
    'AAADZW52D19fc3RhY2tfcG9pbnRlcgN/AQNlbnYNX19tZW1vcnlfYmFzZQN/AANlbnYMX190YWJsZV9iYXNlA38AAwkIAAABAgMDAwMHPQYRX193YXNtX2NhbGxfY3Rv',
    'cnMAAAdwcmVwYXJlAAIEYWRkNAAEBGFkZDgABQVhZGQxNgAGBWFkZDMyAAcIAQEKsRoIBAAQAQsCAAtUAQF/I4GAgIAAQYCEgIAAaiIBIAA2AgAgAEEEEIOAgIAAIAEo',
    'AgBBIGpBCBCDgICAACABKAIAQaABakEQEIOAgIAAIAEoAgBBoAVqQSAQg4CAgAAL0QEBCH9BICABbSECAkAgAUEBSA0AI4GAgIAAQYCAgIAAaiIDIAJBBHRqIQQgAkEF',
    'dCEFIAJBAXEhBkEAIQcDQEEfIQhBACECA0ACQAJAIAJBD0sNACAAIAMgAmosAAA7AQAgBCACaiwAACEJDAELIAAgAyAIaiwAADsBAEEAIAQgCGosAAAiCWsgCSAGGyEJ',
    'CyAAQQJqIAk7AQAgCEF/aiEIIABBBGohACABIAJBAWoiAkcNAAsgAyAFaiEDIAQgBWohBCAHQQJqIgcgAUgNAAsLC7MCAwF/BXsBfyOBgICAAEGAhICAAGooAgAiA/0A',
    'ABAhBCAD/QAAACEFIAH9AAAQIgYgBv0NAAEICQIDCgsEBQwNBgcODyEHIAH9AAAAIgYgBv0NAAEICQIDCgsEBQwNBgcODyEIQQAhAQNAIAAgAP1cAAD9iQEgCCADIAFq',
    'Ign9CQAA/boBIAcgCUEQav0JAAD9ugH9rgH9DEAAAABAAAAAQAAAAEAAAAD9rgFBB/2sASIGIAb9hQEiBiAG/Q0AAQIDAAECAwABAgMAAQIDIAX9ugEgBiAG/Q0EBQYH',
    'BAUGBwQFBgcEBQYHIAT9ugH9rgH9DAAIAAAACAAAAAgAAAAIAAD9rgFBDP2sASIGIAb9hQH9jwEiBiAG/Wb9WgAAACAAIAJqIQAgAUEEaiIBQRBHDQALC/cFBgN/AXsC',
    'fwF7BX8BeyOAgICAAEGAFGsiAySAgICAACOBgICAAEGAhICAAGooAgAhBEEAIQX9DAAAAAAAAAAAAAAAAAAAAAAhBkEBIQcgASEIA0AgByAFIAj9AAAAIgn9UxshBSAI',
    'QRBqIQggBiAJ/VAhBiAHQQFqIgdBCUcNAAsCQCAG/VMiCkUNACAFQQFqQX5xIgtBAm0hDAJAIAtBAUgNAEEAIQUgAyEHIANBgAJqIQgDQCAIIAH9AAAAIgYgAUEQav0A',
    'AAAiCf0NAAEQEQIDEhMEBRQVBgcWF/0LBAAgByAGIAn9DQgJGBkKCxobDA0cHQ4PHh/9CwQAIAhBEGohCCAHQRBqIQcgAUEgaiEBIAVBAmoiBSALSA0ACwsgBEEgaiEN',
    'QQAhDiALQQJIIQsDQAJAAkAgC0UNAP0MQAAAAEAAAABAAAAAQAAAACIGIQkMAQsgAyEHIANBgAJqIQggDCEBIA0hBf0MQAAAAEAAAABAAAAAQAAAACIJIQYDQCAH/QAE',
    'ACAF/QkAACIP/boBIAn9rgEhCSAI/QAEACAP/boBIAb9rgEhBiAIQRBqIQggB0EQaiEHIAVBIGohBSABQX9qIgENAAsLIANBgARqIA5BBHRqIAZBB/2sASAJQQf9rAH9',
    'hQH9CwQAIA1BBGohDSAOQQFqIg5BCEcNAAsLIApBAnQhDSAEQTBqIQtBACEOIANBgARqIQEDQAJAAkAgCg0A/QwACAAAAAgAAAAIAAAACAAAIgYhCQwBCyABIQggDSEF',
    'IAshB/0MAAgAAAAIAAAACAAAAAgAACIJIQYDQCAI/QkCACIPIAf9AAAA/boBIAn9rgEhCSAPIAdBcGr9AAAA/boBIAb9rgEhBiAIQQRqIQggB0EgaiEHIAVBf2oiBQ0A',
    'CwsgACAA/QIAACAGQQz9rAEgCUEM/awB/YUB/Y8BIgYgBv1m/VsAAAAgAUEQaiEBIAAgAmohACAOQQFqIg5BCEcNAAsgA0GAFGokgICAgAAL6AcHAn8BewR/AXsBfwF7',
    'Bn8jgICAgABBgBRrIgMkgICAgAAjgYCAgABBgISAgABqKAIAIQQgA/0MAAAAAAAAAAAAAAAAAAAAACIF/QsEsAQgAyAF/QsEoAQgAyAF/QsEkAQgAyAF/QsEgARBACEG',
    'IAEhB0EAIQgDQEEAIQkgBSEKA0AgA0GABGogCWoiCyAL/QAEACAHIAlq/QAAACIM/VD9CwQAIAwgCv1QIQogCUEQaiIJQSBHDQALIAhBAWoiCCAGIAr9UxshBiAHQSBq',
    'IQcgCEEQRw0ACyAGQQFqIQZBACEHIANBgARqIQlBASELA0AgCyAHIAn9AAQA/VMbIQcgCUEQaiEJIAtBAWoiC0EDRw0ACyAEQaABaiEIAkAgB0EDdCINQQFIDQAgBkF+',
    'cSIOQQJtIQ9BACEQIA5BAUghEQNAAkAgEQ0AQQAhBiADIQsgA0GAAmohByABIQkDQCAHIAn9AAAAIgogCUEgav0AAAAiDP0NAAEQEQIDEhMEBRQVBgcWF/0LBAAgCyAK',
    'IAz9DQgJGBkKCxobDA0cHQ4PHh/9CwQAIAdBEGohByALQRBqIQsgCUHAAGohCSAGQQJqIgYgDkgNAAsLQQAhBCAIIRIDQAJAAkAgDkECTg0A/QxAAAAAQAAAAEAAAABA',
    'AAAAIgohDAwBCyADIQkgA0GAAmohCyAPIQYgEiEH/QxAAAAAQAAAAEAAAABAAAAAIgwhCgNAIAn9AAQAIAf9CQAAIgX9ugEgDP2uASEMIAv9AAQAIAX9ugEgCv2uASEK',
    'IAtBEGohCyAJQRBqIQkgB0HAAGohByAGQX9qIgYNAAsLIANBgARqIARBBXRqIBBBAXRqIApBB/2sASAMQQf9rAH9hQH9CwQAIBJBBGohEiAEQQFqIgRBEEcNAAsgAUEQ',
    'aiEBIBBBCGoiECANSA0ACwsgDUECbSEPQQAhASADQYAEaiEQA0BBASEOQQAhEgNAAkACQCANQQJODQD9DAAIAAAACAAAAAgAAAAIAAAiCiEMDAELIBJBAXQhBEEAIQkg',
    'ECELIA8hB/0MAAgAAAAIAAAACAAAAAgAACIMIQoDQCAL/QkCACIFIAggCSAEckEBdCIGav0AAAD9ugEgCv2uASEKIAUgCCAGQRByav0AAAD9ugEgDP2uASEMIAtBBGoh',
    'CyAJQSBqIQkgB0F/aiIHDQALCyAAIBJqIgkgCf0CAAAgCkEM/awBIAxBDP2sAf2FAf2PASIKIAr9Zv1bAAAAIA5BAXEhCUEIIRJBACEOIAkNAAsgEEEgaiEQIAAgAmoh',
    'ACABQQFqIgFBEEcNAAsgA0GAFGokgICAgAAL5gcHAn8BewR/AXsBfwF7B38jgICAgABBgBRrIgMkgICAgAAjgYCAgABBgISAgABqKAIAIQQgA/0MAAAAAAAAAAAAAAAA',
    'AAAAACIF/QsEsAQgAyAF/QsEoAQgAyAF/QsEkAQgAyAF/QsEgARBACEGIAEhB0EAIQgDQEEAIQkgBSEKA0AgA0GABGogCWoiCyAL/QAEACAHIAlq/QAAACIM/VD9CwQA',
    'IAwgCv1QIQogCUEQaiIJQcAARw0ACyAIQQFqIgggBiAK/VMbIQYgB0HAAGohByAIQSBHDQALIAZBAWohCEEAIQcgA0GABGohCUEBIQsDQCALIAcgCf0ABAD9UxshByAJ',
    'QRBqIQkgC0EBaiILQQVHDQALAkAgB0EDdCINQQFIDQAgBEGgBWohDiAIQX5xIg9BAm0hEEEAIREgD0EBSCESA0ACQCASDQBBACEIIAMhCyADQYACaiEHIAEhCQNAIAcg',
    'Cf0AAAAiCiAJQcAAav0AAAAiDP0NAAEQEQIDEhMEBRQVBgcWF/0LBAAgCyAKIAz9DQgJGBkKCxobDA0cHQ4PHh/9CwQAIAdBEGohByALQRBqIQsgCUGAAWohCSAIQQJq',
    'IgggD0gNAAsLQQAhBiAOIRMDQAJAAkAgD0ECTg0A/QxAAAAAQAAAAEAAAABAAAAAIgohDAwBCyADIQkgA0GAAmohCyAQIQggEyEH/QxAAAAAQAAAAEAAAABAAAAAIgwh',
    'CgNAIAn9AAQAIAf9CQAAIgX9ugEgDP2uASEMIAv9AAQAIAX9ugEgCv2uASEKIAtBEGohCyAJQRBqIQkgB0GAAWohByAIQX9qIggNAAsLIANBgARqIAZBBnRqIBFBAXRq',
    'IApBB/2sASAMQQf9rAH9hQH9CwQAIBNBBGohEyAGQQFqIgZBIEcNAAsgAUEQaiEBIBFBCGoiESANSA0ACwsgBEGwBWohECANQQJtIQ9BACERIANBgARqIRMDQCAQIQZB',
    'ACEIA0ACQAJAIA1BAk4NAP0MAAgAAAAIAAAACAAAAAgAACIKIQwMAQsgEyELIA8hByAGIQn9DAAIAAAACAAAAAgAAAAIAAAiDCEKA0AgC/0JAgAiBSAJ/QAAAP26ASAM',
    '/a4BIQwgBSAJQXBq/QAAAP26ASAK/a4BIQogC0EEaiELIAlBgAFqIQkgB0F/aiIHDQALCyAAIAhqIgkgCf0CAAAgCkEM/awBIAxBDP2sAf2FAf2PASIKIAr9Zv1bAAAA',
    'IAZBIGohBiAIQRhJIQkgCEEIaiEIIAkNAAsgE0HAAGohEyAAIAJqIQAgEUEBaiIRQSBHDQALIANBgBRqJICAgIAACwuLBAEAIwELhARAQEBAQEBAQEBAQEBAQEBAWlpY',
    'VVJOSUM9Ni4mHxYNBFpXUEY5KxkJ9+fVx7qwqaZaUkMuFvzhyrerpqiyw9rzWUsyEu7Otaentc7uEjJLWVhDH/PKrqay0vwmSVpVPRZXOQnVsKa65xlGWlAr98epVS7z',
    'vaa36iZSWDb8w6ay4VMk3K2t3CRTUyTcra3cJFNSFsqmww1OVR/Spr0ESVgmUAm6qec5WivVpscZV0b3sE78rrcNVUPqqMMfWjbaptJL7qfOMlkStbUSWTLOp+5LSeGm',
    '6k5D2qbzUj3SqPxVNkbVqQlaGbDHOVDnpvdXK7pDyrImVeqmBFoNqOFSLrfDQMDAQEDAwEBAwMBAQMDAQD230lIfqPNa/KYWVdqyNkM5sOda96krRrrVVwmmGVDHNqv8',
    'WNLDUg2mJkOy6lrhtzKnEku17lnOzlnutUsSpzIupiY2ph89qBZDqw1JrgROK6Y5GalGCbBQ97pX58da1SaoSfy9WtLhVbINPaY2Fq4krVPc3FOtJCStU9zcU60kH7Ja',
    'wwQ2qFLa6kmmQ/PSVRm6WrArCcdXqTn31VCmRucWw1WmSdr8LrJarjbz4UOoEs5Lp1m1Mu7uMrVZp0vOEg3aPbJYplW3NuEEFtJDrloJ5yvHRrBXplqpULo51Rn3BPMW',
    '4SbSNsNDt06uVahapgAAAAA=',
  ].join(''),
  'base64',
);
