/** The part of WebAssembly's interface that is used; TypeScript knows it only together with everything of a browser. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
