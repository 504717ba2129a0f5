import {
  type AudioCodec,
  CustomSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  StreamTarget,
  type VideoCodec,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { DamagedImageError, damagedVideo, ImageError, UnsupportedImageError, VideoTooLongError } from '../../errors.ts';
import type { Files } from '../files.ts';
import { checkMp4, MAX_SAMPLES, tooManySamples } from './check-mp4.ts';
import { checkWebm } from './check-webm.ts';
import { createReader, type VideoReader } from './reader.ts';
import { withoutComments } from './vorbis.ts';
import { writeIndexFirst } from './webm-index.ts';

export interface RemuxOptions {
  /** Of the file, in bytes. */
  size: number;
  /** What it is. A WebM stays one; others become MP4. */
  isWebm: boolean;
  /** The longest video; 0: any. */
  maxSeconds: number;
}

/** What has been written: one video and at most one audio track, and nothing else. */
export interface Remuxed {
  /** As it is shown. */
  width: number;
  height: number;
  /** In milliseconds. */
  duration: number;
  hasAudio: boolean;
  /** Milliseconds since 1970, if the file states when it was made. */
  takenAt: number | undefined;
}

const VIDEO_CODECS: ReadonlySet<string | null> = new Set<VideoCodec>(['avc', 'hevc', 'vp8', 'vp9', 'av1']);
const AUDIO_CODECS: ReadonlySet<string | null> = new Set<AudioCodec>(['aac', 'mp3', 'opus', 'vorbis']);

const WRITE_BYTES = 1024 * 1024;

// What is wrong with a file is for its uploader, not for the log.
Logging.level = LogLevel.Silent;

/**
 * Copies the samples of a video, bit for bit, into a new container with its index at the start and without metadata. Nothing is decoded.
 * @throws ImageError
 */
export async function remux(options: RemuxOptions, files: Files): Promise<Remuxed> {
  try {
    return await copyTracks(options, createReader(files, options.size), files);
  } catch (error) {
    // The container is read by a package that throws whatever comes.
    throw error instanceof ImageError ? error : damagedVideo(error);
  }
}

async function copyTracks({ isWebm, maxSeconds }: RemuxOptions, reader: VideoReader, files: Files): Promise<Remuxed> {
  const made = isWebm ? await checkWebm(reader) : await checkMp4(reader);
  const source = new CustomSource({ getSize: () => reader.size, read: reader.read, handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: isWebm ? [WEBM] : [MP4, QTFF] });
  const tracks = await input.getTracks();
  const video = choose(
    tracks.filter((track) => track.isVideoTrack()),
    VIDEO_CODECS,
    'This video has the codec',
  );
  if (!video) throw new DamagedImageError('The file contains no video. Choose one that does.');
  const audio = choose(
    tracks.filter((track) => track.isAudioTrack()),
    AUDIO_CODECS,
    'The sound of this video has the codec',
  );

  const scans = await scan([video, ...(audio ? [audio] : [])], reader.size, maxSeconds);
  const write = async (format: OutputFormat, sink: Write) => {
    const output = createOutput(format, sink);
    const sides = [await addVideo(output, video, scans[0] as Scan), ...(audio ? [await addAudio(output, audio, scans[1] as Scan)] : [])];
    await output.start();
    await copy(sides);
    await output.finalize();
    if (sides.some(({ copied, scan: { count } }) => copied !== count)) throw damagedVideo();
  };
  if (isWebm)
    await writeIndexFirst(
      (sink, onCluster) => write(new WebMOutputFormat({ onCluster: ({ length }, at) => onCluster(at, at + length) }), sink),
      files.write,
    );
  else {
    let names: ReturnType<typeof namesIn> = [];
    const onMoov = (index: Uint8Array, at: number) => {
      names = namesIn(index, at);
    };
    await write(new Mp4OutputFormat({ fastStart: 'reserve', onMoov }), files.write);
    for (const { at, length } of names) await files.write(new Uint8Array(length), at);
  }

  const [start, end] = [Math.max(0, Math.min(...scans.map((one) => one.start))), Math.max(...scans.map((one) => one.end))];
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  const duration = Math.max(1, Math.round((end - start) * 1000));
  return { width, height, duration, hasAudio: audio !== undefined, takenAt: made === undefined ? undefined : made * 1000 };
}

/** What the package calls the handlers of tracks and, in 32 bytes that begin with its length, the encoder: their beginnings, in their order. */
const NAMES = [
  { begins: 'MediabunnyVideoHandler', before: 0, length: 22 },
  { begins: 'Mediabunny v', before: 1, length: 32 },
  { begins: 'MediabunnySoundHandler', before: 0, length: 22 },
];

/** Where an index has names. Zeros are empty ones. */
function namesIn(index: Uint8Array, start: number) {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.length);
  let from = 0;
  return NAMES.flatMap(({ begins, before, length }) => {
    const at = bytes.indexOf(begins, from) - before;
    if (at < 0) return [];
    from = at + length;
    return [{ at: start + at, length }];
  });
}

/** The first of some tracks whose codec can be stored. @throws UnsupportedImageError if there are only others */
function choose<Track extends InputVideoTrack | InputAudioTrack>(
  tracks: readonly Track[],
  codecs: ReadonlySet<string | null>,
  what: string,
): Track | undefined {
  const [first] = tracks;
  const chosen = tracks.find(({ codec }) => codecs.has(codec));
  if (chosen || !first) return chosen;
  const name = String(first.codec ?? first.internalCodecId ?? '').replace(/[^\w .-]/g, '') || 'unknown';
  throw new UnsupportedImageError(`${what} ${name}, which can’t be stored here. Convert it to H.264 with AAC sound, and upload that.`);
}

interface Scan {
  count: number;
  /** Seconds. */
  start: number;
  end: number;
}

/** Looks at all samples without reading them. */
async function scan(tracks: readonly InputTrack[], size: number, maxSeconds: number): Promise<Scan[]> {
  let bytes = 0;
  let samples = 0;
  const scans: Scan[] = [];
  for (const track of tracks) {
    const found: Scan = { count: 0, start: Number.POSITIVE_INFINITY, end: 0 };
    for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
      found.count++;
      found.start = Math.min(found.start, packet.timestamp);
      found.end = Math.max(found.end, packet.timestamp + packet.duration);
      bytes += packet.byteLength;
      if (++samples > MAX_SAMPLES) throw tooManySamples();
      // Samples that share their bytes would make a small file a huge one.
      if (bytes > size) throw damagedVideo();
      if (maxSeconds > 0 && found.end > maxSeconds + 1) throw new VideoTooLongError(`The video is longer than ${maxSeconds} seconds.`);
    }
    scans.push(found);
  }
  if (scans[0]?.count === 0 || scans.some(({ end }) => !Number.isFinite(end))) throw damagedVideo();
  return scans;
}

/** 1904, in which the times of containers begin: they say nothing then, and the same video becomes the same bytes. */
const NO_TIME = -2_082_844_800_000;

type Write = Files['write'];

function createOutput(format: OutputFormat, write: Write): Output {
  const sink = new WritableStream<{ data: Uint8Array; position: number }>({ write: ({ data, position }) => write(data, position) });
  const target = new StreamTarget(sink, { chunked: true, chunkSize: WRITE_BYTES });
  const now = Date.now;
  Date.now = () => NO_TIME;
  try {
    return new Output({ format, target });
  } finally {
    Date.now = now;
  }
}

/** A track that is being copied. */
interface Side {
  scan: Scan;
  packets: AsyncGenerator<EncodedPacket, void, unknown>;
  add(packet: EncodedPacket): Promise<void>;
  copied: number;
}

async function addVideo(output: Output, track: InputVideoTrack, found: Scan): Promise<Side> {
  const source = new EncodedVideoPacketSource(track.codec as VideoCodec);
  output.addVideoTrack(source, {
    rotation: await track.getRotation(),
    flip: await track.getFlip(),
    maximumPacketCount: found.count,
  });
  const config = (await track.getDecoderConfig()) ?? undefined;
  if (!config) throw damagedVideo();
  return sideOf(track, found, (packet, isFirst) => source.add(packet, isFirst ? { decoderConfig: config } : undefined));
}

async function addAudio(output: Output, track: InputAudioTrack, found: Scan): Promise<Side> {
  const source = new EncodedAudioPacketSource(track.codec as AudioCodec);
  output.addAudioTrack(source, { maximumPacketCount: found.count });
  const config = (await track.getDecoderConfig()) ?? undefined;
  if (!config) throw damagedVideo();
  if (track.codec === 'vorbis') config.description = withoutComments(config.description as Uint8Array);
  return sideOf(track, found, (packet, isFirst) => source.add(packet, isFirst ? { decoderConfig: config } : undefined));
}

const sideOf = (track: InputTrack, found: Scan, add: (packet: EncodedPacket, isFirst: boolean) => Promise<void>): Side => ({
  scan: found,
  packets: new EncodedPacketSink(track).packets(),
  copied: 0,
  async add(packet) {
    await add(packet, this.copied === 0);
    this.copied++;
  },
});

/** Copies the samples of all tracks by their times, as players read them. */
async function copy(sides: readonly Side[]): Promise<void> {
  const waiting = new Map<Side, EncodedPacket>();
  const advance = async (side: Side) => {
    const { value } = await side.packets.next();
    if (value) waiting.set(side, value);
    else waiting.delete(side);
  };
  for (const side of sides) await advance(side);
  while (waiting.size > 0) {
    const [side, packet] = [...waiting].reduce((one, other) => (other[1].timestamp < one[1].timestamp ? other : one));
    await side.add(packet);
    await advance(side);
  }
}
