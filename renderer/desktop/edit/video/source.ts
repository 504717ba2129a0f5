import {
  CanvasSink,
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  QTFF,
  type VideoCodec,
  WEBM,
} from 'mediabunny';
import { drawFrame, MOMENTS } from '#renderer/upload/queue/poster.ts';

/** A frame as it is stored. Times are in seconds. */
export interface Frame {
  time: number;
  duration: number;
  isKey: boolean;
  /** Its place in the order in which frames are decoded. */
  order: number;
}

/** A video of which nothing is in memory but its index. */
export interface VideoSource {
  input: Input;
  video: InputVideoTrack;
  codec: VideoCodec;
  audio: InputAudioTrack | undefined;
  /** In the order in which they are shown. */
  frames: readonly Frame[];
  /** Seconds at which the last one ends. */
  end: number;
  /** As it is shown. */
  size: { width: number; height: number };
  /** Whether its frames can be read here, without which it can't be shown frame by frame. */
  canDecode: boolean;
  close(): void;
}

/** Reads a part of the file. `end`: the first byte that isn't wanted. */
export type Read = (start: number, end: number) => Promise<Uint8Array>;

/** Bytes that are asked for at once. */
const MAX_READ = 4 * 1024 * 1024;

/** Opens a video, whose file is read in parts. @throws Error if it isn't one that can be read */
export async function openVideo(bytes: number, read: Read): Promise<VideoSource> {
  const inputWith = (prefetchProfile: 'none' | 'fileSystem') => {
    const options = { getSize: () => bytes, read: (start: number, end: number) => readAll(read, start, end) };
    const source = new CustomSource({ ...options, prefetchProfile, maxCacheSize: 32 * 1024 * 1024, handleUnhandledError: () => undefined });
    return new Input({ source, formats: [MP4, QTFF, WEBM] });
  };
  const input = inputWith('fileSystem');
  try {
    const video = await input.getPrimaryVideoTrack();
    const codec = await video?.getCodec();
    if (!video || !codec) throw new Error('The file has no video that can be read.');
    // The index of a recording is spread over its file: what is around its parts would be a sixth of it.
    const frames = await framesOf(inputWith('none'));
    const last = frames.at(-1);
    if (!last) throw new Error('The video is empty.');
    return {
      input,
      video,
      codec,
      audio: (await input.getPrimaryAudioTrack()) ?? undefined,
      frames,
      end: last.time + last.duration,
      size: { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() },
      canDecode: await video.canDecode(),
      close: () => input.dispose(),
    };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

async function readAll(read: Read, start: number, end: number): Promise<Uint8Array> {
  if (end - start <= MAX_READ) return read(start, end);
  const all = new Uint8Array(end - start);
  for (let at = start; at < end; at += MAX_READ) all.set(await read(at, Math.min(end, at + MAX_READ)), at - start);
  return all;
}

async function framesOf(index: Input): Promise<Frame[]> {
  const frames: Frame[] = [];
  const video = await index.getPrimaryVideoTrack();
  if (!video) return frames;
  for await (const { timestamp, duration, type } of new EncodedPacketSink(video).packets(undefined, undefined, { metadataOnly: true }))
    frames.push({ time: timestamp, duration, isKey: type === 'key', order: frames.length });
  index.dispose();
  return frames.sort((one, other) => one.time - other.time);
}

/** A moment within a frame, at which nothing else is shown: a player may round the time of its beginning. */
export const within = ({ time, duration }: Frame): number => time + duration / 2;

/** The poster of a video: the frame that was chosen, or else the first that shows something. `range`: of the frames that are sent. */
export async function posterOf({ video, frames, size }: VideoSource, chosen: number | undefined, [from, to]: readonly [number, number]) {
  const sink = new CanvasSink(video, { poolSize: 1 });
  const count = to - from;
  const start = frames[from]?.time ?? 0;
  // As for posters of browsers: at most a second after the beginning.
  const early = frames.findLastIndex(({ time }, index) => index < to && time <= start + 1);
  const tried = MOMENTS.map((part) => from + Math.floor(count * part)).map((at, index) => (index === 0 ? Math.min(at, early) : at));
  let first: Blob | undefined;
  for (const index of chosen === undefined ? tried : [chosen]) {
    const frame = frames[index];
    const wrapped = frame && (await sink.getCanvas(within(frame)));
    if (!wrapped) continue;
    const drawn = drawFrame(wrapped.canvas, size);
    const poster = await drawn.poster();
    if (chosen !== undefined || !drawn.isBlack()) return poster;
    first ??= poster;
  }
  return first;
}
