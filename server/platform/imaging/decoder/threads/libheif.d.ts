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
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
    heif_channel: { heif_channel_interleaved: unknown };
  }

  export interface Decoded {
    code?: undefined;
    image: unknown;
    channels: DecodedChannel[];
  }

  export default function load(): LibHeif;
}
