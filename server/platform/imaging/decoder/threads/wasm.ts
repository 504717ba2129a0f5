/** The part of WebAssembly used here; TypeScript declares it only in the DOM library. */
export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export type Exported = (...values: number[]) => unknown;

export interface Table {
  get(index: number): Exported | null;
  set(index: number, value: Exported): void;
}

interface WebAssembly {
  Memory: { readonly prototype: Memory; [Symbol.hasInstance](value: unknown): boolean };
  Table: { [Symbol.hasInstance](value: unknown): boolean };
  Module: new (program: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
  Global: new (type: { value: 'i32'; mutable: boolean }, value: number) => { value: number };
  validate(program: Uint8Array): boolean;
}

export const wasm = (globalThis as unknown as { WebAssembly: WebAssembly }).WebAssembly;

/** Where packages have the programs; the build copies them beside the service. */
export const PROGRAMS = { resvg: '@resvg/resvg-wasm/index_bg.wasm', libheif: 'libheif-js/libheif-wasm/libheif.wasm' };

/** A program's file: in its package, or beside the service in the bundle, whose files are all one folder deep. */
export function programUrl(name: keyof typeof PROGRAMS): URL {
  const here = import.meta.url;
  return new URL(here.endsWith('.ts') ? import.meta.resolve(PROGRAMS[name]) : `../server/${name}.wasm`, here);
}
