import { hasTrait } from '#api/formats.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { preferencesOf } from '#server/core/accounts/preferences.ts';
import type { Context } from '#server/core/context.ts';
import type { HeicSupport } from '#server/core/images/heic-support.ts';
import { sendableExts } from '#server/core/requests/request-links.ts';
import { fileTooLarge } from '#server/platform/base/errors.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { type FileContent, onDisk } from '#server/platform/files/staged-file.ts';
import type { ReceivedFile } from '#server/platform/http/form.ts';
import { convertBmp } from '#server/platform/imaging/bmp.ts';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { convert, convertingBytes } from '#server/platform/imaging/convert.ts';
import type { Decoding, DecodingTurn } from '#server/platform/imaging/decoding.ts';
import { HeicUnsupportedError } from '#server/platform/imaging/errors.ts';
import { convertHeic } from '#server/platform/imaging/heif/heic.ts';
import { DEFAULT_IMAGE_LIMITS, GUEST_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { type ForeignMetadata, readForeignMetadata } from '#server/platform/imaging/metadata/foreign.ts';
import { planLength, type StripPlan } from '#server/platform/imaging/metadata/plan.ts';
import type { Rights } from '#server/platform/imaging/metadata/rights.ts';
import { isUnchanged, planStrip, readWhole, writeStripped } from '#server/platform/imaging/metadata/strip.ts';
import { decodeForTrial, type Probed, probe, rethrowUnshown } from '#server/platform/imaging/probe.ts';
import { sniffImage } from '#server/platform/imaging/sniff.ts';
import { probeSvg } from '#server/platform/imaging/svg.ts';
import type {
  ConvertedExt,
  ConvertOptions,
  ForeignFormat,
  ImageLimits,
  SniffedFormat,
  VideoFormat,
  WebFormat,
} from '#server/platform/imaging/types.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import { formatOfExt, isStoredAsIs, requireAllowed, type StoredFormat, servedAs } from './formats.ts';
import { chosenFormat, processForeign, processNative, processUnshown, transparentTo } from './processing.ts';
import type { Uploader } from './uploader.ts';
import { POSTER_EXTS, POSTER_POLICY, type PreparedVideo, processVideo, requireShortEnough } from './video.ts';

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

/** The parts of the service that preparing uses, for one uploader. */
interface ImageTools extends Pick<Context, 'staging' | 'heic'> {
  decoding: Decoding;
  limits: ImageLimits;
}

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
  const { staging, heic, decoding } = parts;
  const tools = { staging, heic, decoding: decoding.as(options.turn), limits: options.limits };
  await using files = new AsyncDisposableStack();
  const read = (file: StagedFile) => tools.decoding.reading(() => inspect(file, options));
  const { file, found: inspected } = await readWhole(original, read, (unfinished, plan) => write(tools, unfinished, plan, files));
  const poster = async () => original.poster && (await preparePoster(parts, original.poster, options, files));
  const image: ProcessedImage =
    'isVideo' in inspected
      ? await processVideo(tools, { file, format: inspected.format, poster }, options.group, files)
      : await processImage(tools, file, inspected, { policy, ...options }, files);
  const kept = files.move();
  const { format, takenAt = image.video?.takenAt } = inspected;
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

type Inspected = Pick<ForeignMetadata, 'takenAt' | 'rights' | 'hasAlpha'> &
  ({ format: WebFormat; found: Probed } | { format: ForeignFormat | 'svg'; found?: undefined } | InspectedVideo);

interface InspectedVideo {
  format: VideoFormat;
  isVideo: true;
}

/** Reads everything that is known before any pixel is decoded. */
async function inspect(file: StagedFile, options: PrepareOptions): Promise<Inspected> {
  const { allowed, keepRights, limits } = options;
  await using bytes = await ImageBytes.open(file);
  const format = requireAllowed(await sniffImage(bytes), allowed);
  requireFits(format, bytes.size, options.group);
  if (format === 'svg') return { format, rights: {}, takenAt: undefined };
  if (hasTrait(format, 'video')) return { format, isVideo: true, rights: {}, takenAt: undefined };
  if (!isStoredAsIs(format)) {
    const { rights, takenAt, hasAlpha } = await readForeignMetadata(bytes, format, keepRights);
    return { format, rights, takenAt, hasAlpha };
  }
  const found = await probe(bytes, format, limits, keepRights ? 'own' : {});
  const { rights, takenAt } = found.plan;
  return { format, found, rights, takenAt };
}

/** @param files owns every file that this writes to `tmp/` */
async function processImage(
  tools: ImageTools,
  file: StagedFile,
  { format, found, rights, hasAlpha }: Exclude<Inspected, InspectedVideo>,
  { policy, convertTo, allowed }: PrepareOptions & { policy: PolicyRow },
  files: AsyncDisposableStack,
): Promise<ProcessedImage> {
  // A drawing keeps its lines and its text, whatever the policy does to pixels.
  if (format === 'svg') return { file, format, animated: false, ...(await probeSvg(await onDisk(file), tools.decoding)) };
  const chosen = chosenFormat(convertTo, policy);
  const encodeTo = async (to: ConvertedExt, ifTransparent?: ConvertedExt) => {
    if (to === chosen) requireAllowed(formatOfExt(to), allowed);
    return encode(tools, file, { format, rights }, { to, ifTransparent }, policy, files);
  };
  if (!found) {
    const to = processForeign(format, policy, chosen);
    return encodeTo(to, hasAlpha ? transparentTo(to, policy, chosen) : undefined);
  }
  const { unshown } = found.plan;
  if (unshown) return encodeTo(processUnshown(unshown, policy, chosen)).catch((error: unknown) => rethrowUnshown(error, unshown));
  const processing = processNative(format, found, policy, chosen);
  if (processing.kind === 'encode' && canEncode(found, processing.to, { own: servedAs(format).ext, policy, chosen, limits: tools.limits }))
    return encodeTo(processing.to);
  const { width, height, animated } = found;
  const stored = await strip(tools, file, found.plan, policy, files);
  await decodeForTrial({ file, stored }, found, tools.limits, tools.decoding);
  return { file: stored, format, width, height, animated };
}

interface Encoding {
  /** The extension of the image as it is. */
  own: ConvertedExt;
  policy: PolicyRow;
  chosen: ConvertedExt | undefined;
  limits: ImageLimits;
}

/**
 * An image that needs too much memory to encode is kept as it is, like an animation that the other format cannot hold. Only a still picture whose
 * uploader wants the format is tried, and rejected with the reason.
 */
function canEncode({ header, animated }: Probed, to: ConvertedExt, { own, policy, chosen, limits }: Encoding): boolean {
  if (to === chosen && to !== own && !animated) return true;
  return convertingBytes(header, { to, maxSide: policy.max_side }) <= limits.memory;
}

/** Removes metadata without touching pixels. A file without any is kept as it is. */
async function strip(
  tools: ImageTools,
  file: StagedFile,
  plan: StripPlan,
  { keep_metadata }: PolicyRow,
  files: AsyncDisposableStack,
): Promise<StagedFile> {
  return keep_metadata === 1 || isUnchanged(plan, file.size) ? file : write(tools, file, plan, files);
}

/** Writes the pieces of a file. */
async function write(
  { staging }: Pick<ImageTools, 'staging'>,
  file: FileContent,
  plan: Pick<StripPlan, 'pieces'>,
  files: AsyncDisposableStack,
): Promise<StagedFile> {
  const writer = files.use(await staging.create(planLength(plan)));
  await writeStripped(file, plan, writer);
  return writer.finish();
}

/** Decodes and encodes again: upright, in sRGB, in the policy's size and quality. */
async function encode(
  { staging, decoding, heic, limits }: ImageTools,
  file: StagedFile,
  { format, rights }: { format: WebFormat | ForeignFormat; rights: Rights },
  target: Pick<ConvertOptions, 'to' | 'ifTransparent'>,
  policy: PolicyRow,
  files: AsyncDisposableStack,
): Promise<ProcessedImage> {
  const convertFormat = await converterOf(format, heic);
  const { path } = files.use(staging.reservePath());
  const keepMetadata = policy.keep_metadata === 1;
  const isKept = !keepMetadata && Object.keys(rights).length > 0;
  const options = { ...target, maxSide: policy.max_side, quality: policy.quality, keepMetadata, limits, ...(isKept && { rights }) };
  const { width, height, to, animated } = await convertFormat(await onDisk(file), options, path, decoding);
  const hasRoom = options.rights !== undefined && to !== 'gif';
  const converted = hasRoom ? await withRights({ staging }, path, formatOfExt(to), rights, files) : await staging.adopt(path);
  return { file: converted, format: formatOfExt(to), width, height, animated };
}

/** A copy of a converted file that has the rights in its EXIF. */
async function withRights(
  tools: Pick<ImageTools, 'staging'>,
  path: string,
  format: WebFormat,
  rights: Rights,
  files: AsyncDisposableStack,
): Promise<StagedFile> {
  await using bytes = await ImageBytes.open(path);
  return write(tools, { path }, await planStrip(bytes, format, rights), files);
}

/** What sharp doesn't read. */
const OWN_CONVERTERS: Partial<Record<WebFormat | ForeignFormat, typeof convert>> = {
  bmp: convertBmp,
  heic: convertHeic,
  heif: convertHeic,
};

async function converterOf(format: WebFormat | ForeignFormat, heic: HeicSupport): Promise<typeof convert> {
  const converter = OWN_CONVERTERS[format] ?? convert;
  if (converter === convertHeic && !(await heic.isSupported()))
    throw new HeicUnsupportedError('This server can’t read HEIC pictures. Export the picture as JPEG and upload that.');
  return converter;
}
