import { hasTrait } from '#api/formats.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import type { Context } from '#server/core/context.ts';
import { sendableExts } from '#server/core/requests/request-links.ts';
import { fileTooLarge } from '#server/platform/base/errors.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import type { ReceivedFile } from '#server/platform/http/form.ts';
import { convert, convertingBytes } from '#server/platform/imaging/convert.ts';
import type { DecodingTurn } from '#server/platform/imaging/decoding.ts';
import { HeicUnsupportedError } from '#server/platform/imaging/errors.ts';
import { type Drawing, type ForeignPicture, inspect, type Of, rethrowUnshown, type WebPicture } from '#server/platform/imaging/inspect.ts';
import { DEFAULT_IMAGE_LIMITS, GUEST_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { strip, writeRights } from '#server/platform/imaging/strip.ts';
import type { ConvertedExt, ConvertOptions, ImageLimits, SniffedFormat, WriteFile } from '#server/platform/imaging/types.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import { formatOfExt, requireAllowed, type StoredFormat, servedAs } from './formats.ts';
import { chosenFormat, processForeign, processNative, processUnshown, transparentTo } from './processing.ts';
import type { Uploader } from './uploader.ts';
import { POSTER_EXTS, POSTER_POLICY, type PreparedVideo, type PrepareTools, processVideo, requireShortEnough } from './video.ts';

/** An image as it will be stored. Disposing of it removes the files that preparing it has left in `tmp/`. */
export interface PreparedImage extends ProcessedImage, AsyncDisposable {
  /** The format that was sent. */
  sent: SniffedFormat;
  /** Capture time from EXIF. */
  takenAt: Date | undefined;
}

interface ProcessedImage {
  file: StagedFile;
  format: StoredFormat;
  /** Size in pixels, with the orientation applied. */
  width: number;
  height: number;
  animated: boolean;
  /** Of a video. */
  video?: PreparedVideo;
}

/** The file of an image with its media type. */
export const storedFile = ({ file, format }: ProcessedImage) => Object.assign(file, { mime: servedAs(format).mime });

export interface PrepareOptions {
  /** Limits of the uploader's group. */
  readonly group: Pick<Group, 'max_file_bytes' | 'max_video_bytes' | 'max_video_seconds'>;
  /** Extensions that the uploader's group may upload. */
  readonly allowed: readonly string[];
  /** Keeps artist and copyright, whether or not the policy removes other metadata. */
  readonly keepRights: boolean;
  readonly limits: ImageLimits;
  readonly turn: DecodingTurn;
  /** The format that the uploader wants. */
  readonly convertTo?: ConvertedExt | undefined;
}

/** The options for files of an uploader. Guests and senders have no preferences, and lower limits; senders can't send drawings. */
export function prepareOptions({ user, group, through, turn }: Uploader): PrepareOptions {
  const allowed = through ? sendableExts(group) : group.allowed_exts;
  if (!user || through) return { allowed, group, turn, keepRights: false, limits: GUEST_IMAGE_LIMITS };
  return { allowed, group, turn, keepRights: preferencesOf(user).keep_copyright, limits: DEFAULT_IMAGE_LIMITS };
}

/**
 * Checks a prepared image against the uploader's group as it is in the unit that stores the image: it may have changed while the image arrived.
 * @throws RequestError like {@link prepareImage}
 */
export function requireStillAllowed(image: PreparedImage, sentBytes: number, uploader: Uploader): void {
  const { allowed, convertTo } = prepareOptions(uploader);
  requireFits(image.sent, sentBytes, uploader.group);
  if (image.video) requireShortEnough(image.video, uploader.group);
  requireAllowed(image.sent, allowed);
  if (convertTo) requireAllowed(image.format, allowed);
}

function requireFits(format: SniffedFormat, bytes: number, group: PrepareOptions['group']): void {
  const limit = hasTrait(format, 'video') ? group.max_video_bytes : group.max_file_bytes;
  if (limit > 0 && bytes > limit) throw fileTooLarge(limit);
}

/**
 * Checks a received file and processes it as the storage policy says.
 * @throws ImageError or RequestError when the image cannot be accepted
 */
export async function prepareImage(
  parts: Pick<Context, 'staging' | 'decoding' | 'heic'>,
  original: StagedFile & Pick<ReceivedFile, 'poster'>,
  policy: PolicyRow,
  options: PrepareOptions,
): Promise<PreparedImage> {
  const { staging, heic } = parts;
  const { group, allowed, limits, keepRights: keepsRights } = options;
  const decoding = parts.decoding.as(options.turn);
  await using files = new AsyncDisposableStack();
  const write: WriteFile<StagedFile> = async (length, fill) => {
    const writer = files.use(await staging.create(length));
    await fill(writer);
    return writer.finish();
  };
  const tools = { staging, heic, decoding, files, write };
  const accept = (detected: SniffedFormat | undefined, size: number) => {
    const format = requireAllowed(detected, allowed);
    requireFits(format, size, group);
    return format;
  };
  const found = await inspect<SniffedFormat, StagedFile>(original, { accept, limits, keepsRights }, write, decoding);
  const poster = async () => original.poster && (await preparePoster(parts, original.poster, options, files));
  const image: ProcessedImage =
    found.kind === 'video' ? await processVideo(tools, found, group, poster) : await processImage(tools, found, { policy, ...options });
  const kept = files.move();
  const { format, takenAt = image.video?.takenAt } = found;
  return { ...image, sent: format, takenAt, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Processes a poster like any picture that isn't trusted. @param files owns what this writes to `tmp/` */
export async function preparePoster(
  parts: Parameters<typeof prepareImage>[0],
  poster: StagedFile,
  options: PrepareOptions,
  files: AsyncDisposableStack,
): Promise<StagedFile> {
  const group = { ...options.group, max_file_bytes: 0 };
  return storedFile(
    files.use(await prepareImage(parts, poster, POSTER_POLICY, { ...options, group, allowed: POSTER_EXTS, convertTo: undefined })),
  );
}

async function processImage(
  tools: PrepareTools,
  found: Of<WebPicture | ForeignPicture | Drawing, StagedFile>,
  { policy, convertTo, allowed, limits }: PrepareOptions & { policy: PolicyRow },
): Promise<ProcessedImage> {
  // A drawing keeps its lines and its text, whatever the policy does to pixels.
  if (found.kind === 'drawing') return stripped(tools, found, policy, limits);
  const chosen = chosenFormat(convertTo, policy);
  const encodeTo = async (to: ConvertedExt, ifTransparent?: ConvertedExt) => {
    if (to === chosen) requireAllowed(formatOfExt(to), allowed);
    return encode(tools, found, { to, ifTransparent, limits }, policy);
  };
  if (found.kind === 'foreign') {
    const to = processForeign(found.format, policy, chosen);
    return encodeTo(to, 'heic' in found && found.hasAlpha ? transparentTo(to, policy, chosen) : undefined);
  }
  const { unshown } = found.plan;
  if (unshown) return encodeTo(processUnshown(unshown, policy, chosen)).catch((error: unknown) => rethrowUnshown(error, unshown));
  const processing = processNative(found.format, found, policy, chosen);
  if (processing.kind === 'encode' && canEncode(found, processing.to, { policy, chosen, limits })) return encodeTo(processing.to);
  return stripped(tools, found, policy, limits);
}

async function stripped(
  { write, decoding }: PrepareTools,
  found: Of<WebPicture | Drawing, StagedFile>,
  { keep_metadata }: PolicyRow,
  limits: ImageLimits,
): Promise<ProcessedImage> {
  const { format, width, height } = found;
  const file = await strip(found, { keepsMetadata: keep_metadata === 1, limits }, write, decoding);
  return { file, format, width, height, animated: found.kind === 'web' && found.animated };
}

/**
 * An image that needs too much memory to encode is kept as it is, like an animation that the other format cannot hold. Only a still picture whose
 * uploader wants the format is tried, and rejected with the reason.
 */
function canEncode(
  { format, header, animated }: WebPicture,
  to: ConvertedExt,
  { policy, chosen, limits }: { policy: PolicyRow; chosen: ConvertedExt | undefined; limits: ImageLimits },
): boolean {
  if (to === chosen && to !== servedAs(format).ext && !animated) return true;
  return convertingBytes(header, { to, maxSide: policy.max_side }) <= limits.memory;
}

/** Decodes and encodes again: upright, in sRGB, in the policy's size and quality. */
async function encode(
  { staging, decoding, heic, files, write }: PrepareTools,
  found: Of<WebPicture | ForeignPicture, StagedFile>,
  target: Pick<ConvertOptions, 'to' | 'ifTransparent' | 'limits'>,
  policy: PolicyRow,
): Promise<ProcessedImage> {
  if ('heic' in found && !(await heic.isSupported()))
    throw new HeicUnsupportedError('This server can’t read HEIC pictures. Export the picture as JPEG and upload that.');
  const { path } = files.use(staging.reservePath());
  const keepMetadata = policy.keep_metadata === 1;
  const rights = keepMetadata || Object.keys(found.rights).length === 0 ? undefined : found.rights;
  const options = { ...target, maxSide: policy.max_side, quality: policy.quality, keepMetadata, ...(rights && { rights }) };
  const { width, height, to, animated } = await convert(found, options, path, decoding);
  const format = formatOfExt(to);
  const file = rights && to !== 'gif' ? await writeRights(path, format, rights, write) : await staging.adopt(path);
  return { file, format, width, height, animated };
}
