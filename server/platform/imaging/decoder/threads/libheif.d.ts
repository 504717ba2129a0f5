/** The part of libheif's WebAssembly build that Pixdock uses; the package types only the raw functions. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface HeifError {
    code: { value: number };
    message?: string;
  }

  export interface DecodedChannel {
    id: unknown;
    width: number;
    height: number;
    stride: number;
    data: Uint8Array;
  }

  export interface LibHeif {
    heif_get_version(): string;
    heif_context_alloc(): unknown;
    heif_context_free(context: unknown): void;
    heif_context_read_from_memory(context: unknown, file: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: unknown): HeifError | { code?: undefined };
    heif_image_handle_get_width(handle: unknown): number;
    heif_image_handle_get_height(handle: unknown): number;
    heif_image_handle_has_alpha_channel(handle: unknown): number | boolean;
    heif_image_handle_release(handle: unknown): void;
    heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): HeifError | Promise<HeifError | Decoded> | Decoded;
    heif_image_release(image: unknown): void;
    heif_error_code: { heif_error_Ok: unknown; heif_error_Memory_allocation_error: unknown };
    heif_colorspace: { heif_colorspace_RGB: { value: number } };
    heif_chroma: { heif_chroma_interleaved_RGB: { value: number }; heif_chroma_interleaved_RGBA: { value: number } };
    heif_channel: { heif_channel_interleaved: { value: number } };

    // The functions of its C interface. `error` is where the result is written: three numbers, the first 0 without an error.
    _malloc(bytes: number): number;
    _free(at: number): void;
    _heif_context_alloc(): number;
    _heif_context_read_from_memory_without_copy(error: number, context: number, at: number, bytes: number, options: number): void;
    _heif_context_get_primary_image_handle(error: number, context: number, handleAt: number): void;
    _heif_image_handle_has_alpha_channel(handle: number): number;
    _heif_image_handle_decode_image_tile(
      error: number,
      handle: number,
      imageAt: number,
      colorspace: number,
      chroma: number,
      options: number,
      x: number,
      y: number,
    ): void;
    _heif_image_get_width(image: number, channel: number): number;
    _heif_image_get_height(image: number, channel: number): number;
    _heif_image_get_plane_readonly2(image: number, channel: number, strideAt: number): number;
    _heif_image_release(image: number): void;
  }

  export interface Decoded {
    code?: undefined;
    image: unknown;
    channels: DecodedChannel[];
  }

  interface LoadOptions {
    instantiateWasm(imports: object, receive: (instance: object) => void): object;
  }

  export default function load(options: LoadOptions): LibHeif;
}
