import { allowsVideos, isDrawing, KNOWN_EXTS } from '#api/formats.ts';
import { scaledTo } from '#api/images/scaled.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import type { Context } from '#server/core/context.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { FIRST_POLICY } from '#server/platform/db/group-defaults.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import type { Decoding } from '#server/platform/imaging/decoding.ts';
import { VideoTooLongError } from '#server/platform/imaging/errors.ts';
import type { Of, Video } from '#server/platform/imaging/inspect.ts';
import type { WriteFile } from '#server/platform/imaging/types.ts';
import { drawVideoTile, remuxVideo } from '#server/platform/imaging/video.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';

/** A video as it will be stored, apart from its file. */
export interface PreparedVideo {
  /** In milliseconds. */
  duration: number;
  hasAudio: boolean;
  takenAt: Date | undefined;
  /** The picture that its thumbnails are made from: a poster that was sent, or a tile with its duration. */
  poster: StagedFile;
  hasPoster: boolean;
}

/** What the row of an image says of a video, or of a picture. */
export const videoColumns = ({ video }: { video?: PreparedVideo }, policyId: number) => ({
  duration: video?.duration ?? null,
  has_audio: video?.hasAudio ? (1 as const) : (0 as const),
  poster_policy_id: video ? policyId : null,
  poster_sha256: video?.poster.sha256 ?? null,
  has_poster: video?.hasPoster ? (1 as const) : (0 as const),
});

/** @throws RequestError `video_too_long` */
export function requireShortEnough({ duration }: Pick<PreparedVideo, 'duration'>, { max_video_seconds: limit }: VideoLimits): void {
  // Sound may end a little later than the video.
  if (limit > 0 && duration > (limit + 1) * 1000) throw tooLong(limit);
}

const tooLong = (max_seconds: number) =>
  new RequestError('video_too_long', `The video is longer than ${max_seconds} seconds. Choose a shorter one, or cut it.`, { max_seconds });

type VideoLimits = Pick<Group, 'max_video_seconds'>;

/** The parts of the service that preparing uses, for one uploader and one picture. */
export interface PrepareTools extends Pick<Context, 'staging' | 'heic'> {
  decoding: Decoding;
  /** Owns every file that is written to `tmp/`. */
  files: AsyncDisposableStack;
  /** Writes one of them. */
  write: WriteFile<StagedFile>;
}

/**
 * Copies a video into a new container. Neither conversions nor the processing of the storage policy apply.
 * @param poster resolves with the processed poster, if one was sent
 */
export async function processVideo(
  tools: PrepareTools,
  found: Of<Video, StagedFile>,
  group: VideoLimits,
  poster: () => Promise<StagedFile | undefined>,
) {
  const { staging, decoding, files } = tools;
  // First: it is small, and may be refused.
  const sent = await poster();
  const { path } = files.use(staging.reservePath());
  const { width, height, duration, hasAudio, takenAt } = await remuxVideo(found, path, group.max_video_seconds, decoding).catch(
    (error: unknown) => {
      throw error instanceof VideoTooLongError ? tooLong(group.max_video_seconds) : error;
    },
  );
  requireShortEnough({ duration }, group);
  const shown = sent ?? (await storeTile(tools, { width, height, duration }));
  return {
    file: await staging.adopt(path),
    format: found.format === 'webm' ? ('webm' as const) : ('mp4' as const),
    width,
    height,
    animated: false,
    video: {
      duration,
      hasAudio,
      takenAt: takenAt === undefined ? undefined : new Date(takenAt),
      poster: shown,
      hasPoster: sent !== undefined,
    },
  };
}

/** The largest thumbnail. */
const POSTER_SIDE = 1600;

/** How a poster is processed: as a picture of a new installation that becomes a JPEG. */
export const POSTER_POLICY: PolicyRow = { ...FIRST_POLICY, id: 0, created_at: 0, convert_to: 'jpg', max_side: POSTER_SIDE };
export const POSTER_EXTS = KNOWN_EXTS.filter((ext) => !isDrawing(ext) && !allowsVideos([ext]));

async function storeTile({ write }: PrepareTools, video: Parameters<typeof drawVideoTile>[0]): Promise<StagedFile> {
  const drawing = drawVideoTile({ ...video, ...scaledTo(video, POSTER_SIDE) });
  const file = await write(drawing.length, (sink) => sink.write(drawing));
  return Object.assign(file, { mime: 'image/svg+xml' });
}
