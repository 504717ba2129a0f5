/** The part of libheif's WebAssembly build that Pixdock uses; the package types only the raw functions. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  export interface LibHeif {
    heif_get_version(): string;
    heif_error_code: { heif_error_Memory_allocation_error: { value: number } };
    heif_colorspace: { heif_colorspace_RGB: { value: number } };
    heif_chroma: Record<
      | 'heif_chroma_interleaved_RGB'
      | 'heif_chroma_interleaved_RGBA'
      | 'heif_chroma_interleaved_RRGGBB_LE'
      | 'heif_chroma_interleaved_RRGGBBAA_LE',
      { value: number }
    >;
    heif_channel: { heif_channel_interleaved: { value: number } };

    // The functions of its C interface. `error` is where the result is written: three numbers, the first 0 without an error.
    _malloc(bytes: number): number;
    _free(at: number): void;
    _heif_context_alloc(): number;
    _heif_context_read_from_memory_without_copy(error: number, context: number, at: number, bytes: number, options: number): void;
    _heif_context_get_primary_image_handle(error: number, context: number, handleAt: number): void;
    _heif_image_handle_get_width(handle: number): number;
    _heif_image_handle_get_height(handle: number): number;
    _heif_image_handle_has_alpha_channel(handle: number): number;
    _heif_image_handle_get_luma_bits_per_pixel(handle: number): number;
    _heif_decoding_options_alloc(): number;
    _heif_decode_image(error: number, handle: number, imageAt: number, colorspace: number, chroma: number, options: number): void;
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
    /** Writes the addresses of the decoders' descriptions, and returns their number, which is at most `count`. */
    _heif_get_decoder_descriptors(format: number, descriptionsAt: number, count: number): number;
    _de265_set_parameter_bool(decoder: number, parameter: number, value: number): void;
    _heif_image_get_bits_per_pixel_range(image: number, channel: number): number;
    _heif_image_get_width(image: number, channel: number): number;
    _heif_image_get_height(image: number, channel: number): number;
    _heif_image_get_plane_readonly2(image: number, channel: number, strideAt: number): number;
    _heif_image_release(image: number): void;
  }

  interface LoadOptions {
    instantiateWasm(imports: object, receive: (instance: object) => void): object;
  }

  export default function load(options: LoadOptions): LibHeif;
}
