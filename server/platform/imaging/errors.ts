/** Stable codes for faults of an image; the service returns them with 400 or 415. */
export type ImageErrorCode = 'damaged_image' | 'image_too_large' | 'video_too_long' | 'ext_not_allowed' | 'heic_unsupported';

/** A fault of the image, not of the service. The message is shown to the user. */
export abstract class ImageError extends Error {
  abstract readonly code: ImageErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Empty, truncated or undecodable. */
export class DamagedImageError extends ImageError {
  readonly code = 'damaged_image';

  constructor(message = 'The picture is damaged or incomplete. Export it again and retry the upload.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** A video that is damaged. */
export const damagedVideo = (cause?: unknown): DamagedImageError =>
  new DamagedImageError('The video is damaged or incomplete. Export it again and retry the upload.', { cause });

/** Removing its metadata would damage it. */
export class InseparableImageError extends DamagedImageError {
  constructor() {
    super(
      'The picture’s metadata can’t be removed without damaging the picture. Open it in another program, save it as a new file and upload that.',
    );
  }
}

/** More pixels, a longer side, more frames or a longer decoding time than the limits allow. */
export class ImageTooLargeError extends ImageError {
  readonly code = 'image_too_large';
}

/** Longer than the group of its uploader allows. */
export class VideoTooLongError extends ImageError {
  readonly code = 'video_too_long';
}

/** The fault of an image that takes more processor time than it may. */
export const tooLong = (cause?: unknown): ImageTooLargeError =>
  new ImageTooLargeError('The picture takes too long to decode. Make it smaller and try again.', { cause });

/** A format that this function does not handle. */
export class UnsupportedImageError extends ImageError {
  readonly code = 'ext_not_allowed';
}

/** A JPEG that browsers can’t show, and no decoder here can read. */
export class UnshownJpegError extends UnsupportedImageError {
  constructor(coding: string, options?: ErrorOptions) {
    super(`This JPEG has ${coding} coding, which browsers can’t show. Save it as an ordinary JPEG or as PNG, and upload that.`, options);
  }
}

/** The HEIC decoder of this build does not work. */
export class HeicUnsupportedError extends ImageError {
  readonly code = 'heic_unsupported';
}
