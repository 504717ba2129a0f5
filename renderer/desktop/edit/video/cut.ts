import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  VideoSampleSink,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { canBeJoined, isRefresh, joined, levelOf } from './avc.ts';
import type { Frame, VideoSource } from './source.ts';

/** What is kept of a video. */
export interface Cut {
  /** Frames in the order in which they are shown; `to`: the first that isn't kept. */
  from: number;
  to: number;
  isMuted: boolean;
}

/** How a cut is made: what is encoded, by places in the order in which frames are shown, around what is copied, by those in which they are decoded. */
interface Plan {
  head: readonly [number, number];
  copy: readonly [number, number];
  /** Frames before this time need frames that are gone, and are in the head. */
  copyTime: number;
  tail: readonly [number, number];
}

const WRITE_BYTES = 4 * 1024 * 1024;
/** Of the frames that are encoded again: nearly as they were. For VP9 from 0, the best, to 63; for AV1 to 255. */
const QUANTIZER = { vp9: 8, av1: 32 };
/** Bits per pixel where an encoder has no such measure. */
const BITS_PER_PIXEL = 0.4;
const MAX_BITRATE = 80_000_000;

/** The extension of what is made of a video. MOV becomes MP4, as on the server. */
export const extOf = async ({ input }: VideoSource): Promise<'webm' | 'mp4'> => ((await input.getFormat()) === WEBM ? 'webm' : 'mp4');

/**
 * What encodes frames as those of a video are; undefined where nothing here can, or not without a visible difference: then it begins at a key
 * frame.
 */
export async function encoderFor({ video, codec, frames, canDecode }: VideoSource): Promise<VideoEncoderConfig | undefined> {
  const config = await video.getDecoderConfig();
  if (!config || !canDecode || (await video.canBeTransparent())) return undefined;
  const [width, height] = [await video.getCodedWidth(), await video.getCodedHeight()];
  const rate = frames.length / Math.max(0.1, (frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0));
  const bitrate = Math.min(MAX_BITRATE, Math.max(1_000_000, Math.round(width * height * rate * BITS_PER_PIXEL)));
  const usual: VideoEncoderConfig = { codec: config.codec, width, height, bitrate, hardwareAcceleration: 'prefer-software' };
  const chosen: VideoEncoderConfig | undefined =
    codec === 'vp9' || codec === 'av1'
      ? { ...usual, bitrateMode: 'quantizer' }
      : codec === 'vp8'
        ? usual
        : codec === 'avc' && isJoinable(config)
          ? { ...usual, codec: `avc1.42e0${levelOf(bytesOf(config.description))}`, avc: { format: 'avc' } }
          : undefined;
  return chosen && (await VideoEncoder.isConfigSupported(chosen)).supported ? chosen : undefined;
}

/** Eight bits and half as many colours as points, as all recorders and cameras write H.264 by default. */
const isJoinable = ({ codec, description }: VideoDecoderConfig) =>
  description !== undefined && /^avc[13]\.(42|4d|58|64)/i.test(codec) && canBeJoined(bytesOf(description));

const bytesOf = (data: AllowSharedBufferSource | undefined): Uint8Array =>
  data === undefined
    ? new Uint8Array()
    : ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);

/** The cut that is nearest where nothing can be encoded: it begins with a key frame. */
export function snapped({ frames }: VideoSource, from: number): number {
  const keys = frames.flatMap(({ isKey }, index) => (isKey ? [index] : []));
  return keys.reduce((best, index) => (Math.abs(index - from) < Math.abs(best - from) ? index : best), keys[0] ?? 0);
}

async function planOf({ frames, video, codec }: VideoSource, { from, to }: Cut, canEncode: boolean): Promise<Plan> {
  const decoded = [...frames].sort((one, other) => one.order - other.order);
  const places = new Map(frames.map((frame, index) => [frame, index]));
  const placeOf = (frame: Frame) => places.get(frame) ?? 0;
  const isKept = (frame: Frame) => placeOf(frame) >= from && placeOf(frame) < to;
  const sink = new EncodedPacketSink(video);
  const isClean = async (frame: Frame) => {
    if (!frame.isKey) return false;
    if (codec !== 'avc') return true;
    const packet = await sink.getKeyPacket(frame.time);
    return packet !== null && isRefresh(packet.data);
  };
  const all: Plan = { head: [from, to], copy: [0, 0], copyTime: 0, tail: [to, to] };
  let first: Frame | undefined;
  for (const frame of decoded) {
    if (!isKept(frame) || !(await isClean(frame))) continue;
    first = frame;
    break;
  }
  if (!first) return all;
  const head = [from, placeOf(first)] as const;
  const copied = (frame: Frame) => frame.order >= (first?.order ?? 0) && frame.time >= (first?.time ?? 0) && isKept(frame);
  const end = (decoded.findLast(copied)?.order ?? -1) + 1;
  // A frame that is cut off may be needed by one that is shown before it.
  const gone = decoded.find((frame) => frame.order > (first?.order ?? 0) && frame.order < end && placeOf(frame) >= to);
  const whole = { head, copy: [first.order, end] as const, copyTime: first.time, tail: [to, to] as const };
  if (!gone) return whole;
  if (!canEncode) return { ...whole, copy: [first.order, gone.order] };
  for (const key of decoded.slice(first.order, gone.order).reverse()) {
    if (!(await isClean(key))) continue;
    // Frames that follow it and are shown before it would be lost.
    if (decoded.slice(key.order + 1, end).some(({ time }) => time < key.time)) continue;
    return key === first ? all : { ...whole, copy: [first.order, key.order], tail: [placeOf(key), to] };
  }
  return all;
}

/**
 * Writes what is kept of a video into a new file, in parts. Groups of pictures that are kept as a whole are copied, bit for bit; of those that
 * are cut, the frames that are kept are encoded again, which takes as long as it takes to play them at most. Sound is cut between its packets.
 * Nothing of what is cut off, and no metadata, gets into the file.
 * @param onProgress called with the part that is written, from 0 to 1
 */
export async function cutVideo(
  source: VideoSource,
  cut: Cut,
  write: (bytes: Uint8Array<ArrayBuffer>, position: number) => Promise<unknown>,
  onProgress: (share: number) => void = () => undefined,
): Promise<void> {
  const { video, audio, codec, frames } = source;
  const start = frames[cut.from]?.time ?? 0;
  const end = frames[cut.to]?.time ?? source.end;
  const format = (await extOf(source)) === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false });
  const sink = new WritableStream<{ data: Uint8Array<ArrayBuffer>; position: number }>({
    write: async ({ data, position }) => void (await write(data, position)),
  });
  const output = new Output({ format, target: new StreamTarget(sink, { chunked: true, chunkSize: WRITE_BYTES }) });
  try {
    const encoder = await encoderFor(source);
    const plan = await planOf(source, cut, encoder !== undefined);
    const maker = new VideoPackets(source, start, encoder);
    const pictures = new EncodedVideoPacketSource(codec);
    output.addVideoTrack(pictures, { rotation: await video.getRotation(), flip: await video.getFlip() });
    const sides: Side[] = [
      { packets: maker.packets(plan), add: (packet, first) => pictures.add(packet, first ? { decoderConfig: maker.config } : undefined) },
    ];
    const audioCodec = cut.isMuted ? null : await audio?.getCodec();
    const audioConfig = cut.isMuted ? null : await audio?.getDecoderConfig();
    if (audio && audioCodec && audioConfig) {
      const sounds = new EncodedAudioPacketSource(audioCodec);
      output.addAudioTrack(sounds);
      sides.push({
        packets: soundOf(new EncodedPacketSink(audio), start, end),
        add: (packet, first) => sounds.add(packet, first ? { decoderConfig: audioConfig } : undefined),
      });
    }
    await output.start();
    await interleave(sides, (time) => onProgress(Math.min(1, time / Math.max(0.001, end - start))));
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
}

interface Side {
  packets: AsyncGenerator<EncodedPacket, void, unknown>;
  add(packet: EncodedPacket, isFirst: boolean): Promise<void>;
}

/** Writes the packets of all tracks by their times. */
async function interleave(sides: readonly Side[], onTime: (time: number) => void): Promise<void> {
  const waiting = new Map<Side, EncodedPacket>();
  const begun = new Set<Side>();
  const advance = async (side: Side) => {
    const { value } = await side.packets.next();
    if (value) waiting.set(side, value);
    else waiting.delete(side);
  };
  for (const side of sides) await advance(side);
  while (waiting.size > 0) {
    const [side, packet] = [...waiting].reduce((one, other) => (other[1].timestamp < one[1].timestamp ? other : one));
    await side.add(packet, !begun.has(side));
    begun.add(side);
    onTime(packet.timestamp);
    await advance(side);
  }
}

/** Less than any packet lasts, and more than times are rounded by. */
const EPSILON = 0.001;

/** The packets of sound that lie within a span of time, moved to its beginning. */
async function* soundOf(sink: EncodedPacketSink, start: number, end: number): AsyncGenerator<EncodedPacket, void, unknown> {
  const first = (await sink.getPacket(start)) ?? (await sink.getFirstPacket());
  if (!first) return;
  for await (const packet of sink.packets(first)) {
    if (packet.timestamp + packet.duration > end + EPSILON) return;
    if (packet.timestamp >= start - EPSILON) yield packet.clone({ timestamp: Math.max(0, packet.timestamp - start) });
  }
}

/** The packets of the pictures. `config` is known once there is the first. */
class VideoPackets {
  config: VideoDecoderConfig | undefined;
  readonly #source: VideoSource;
  readonly #start: number;
  readonly #encoder: VideoEncoderConfig | undefined;
  #renumber: (packet: Uint8Array) => Uint8Array = (packet) => packet;

  constructor(source: VideoSource, start: number, encoder: VideoEncoderConfig | undefined) {
    this.#source = source;
    this.#start = start;
    this.#encoder = encoder;
  }

  async *packets({ head, copy, copyTime, tail }: Plan): AsyncGenerator<EncodedPacket, void, unknown> {
    const { video, codec, frames } = this.#source;
    this.config = (await video.getDecoderConfig()) ?? undefined;
    const hasEncoded = head[1] > head[0] || tail[1] > tail[0];
    // The description must be there with the first packet.
    const ends = tail[1] > tail[0] ? await this.#encode(tail) : [];
    yield* await this.#encode(head);
    let isFirst = true;
    const sink = new EncodedPacketSink(video);
    const decoded = [...frames].sort((one, other) => one.order - other.order);
    const first = decoded[copy[0]];
    if (first && copy[1] > copy[0]) {
      const [from, to] = [frames[head[1]]?.time ?? copyTime, frames[tail[0]]?.time ?? Number.POSITIVE_INFINITY];
      let order = copy[0];
      for await (const packet of sink.packets((await sink.getKeyPacket(first.time)) ?? undefined)) {
        if (order++ >= copy[1]) break;
        if (packet.timestamp < from || packet.timestamp >= to) continue;
        const data = isFirst && hasEncoded && codec === 'av1' ? withSequence(packet.data, this.config) : packet.data;
        isFirst = false;
        yield packet.clone({ timestamp: Math.max(0, packet.timestamp - this.#start), data });
      }
    }
    yield* ends;
  }

  /** Encodes the frames from one place to another, as a group of pictures of its own. */
  async #encode([from, to]: readonly [number, number]): Promise<EncodedPacket[]> {
    if (to <= from) return [];
    const { video, codec, frames, end } = this.#source;
    const config = this.#encoder;
    if (!config) throw new Error('The video can’t be cut here.');
    const chunks: EncodedVideoChunk[] = [];
    let description: Uint8Array | undefined;
    let fault: unknown;
    const encoder = new VideoEncoder({
      output(chunk, meta) {
        chunks.push(chunk);
        if (meta?.decoderConfig?.description) description = bytesOf(meta.decoderConfig.description);
      },
      error(error) {
        fault = error;
      },
    });
    try {
      encoder.configure(config);
      const first = frames[from];
      const stop = frames[to]?.time ?? end + 1;
      let at = 0;
      const options = {
        ...(codec === 'vp9' && { vp9: { quantizer: QUANTIZER.vp9 } }),
        ...(codec === 'av1' && { av1: { quantizer: QUANTIZER.av1 } }),
      };
      for await (const sample of new VideoSampleSink(video).samples(first?.time, stop)) {
        // The place stands in for the time, which encoders round.
        const decoded = sample.toVideoFrame();
        const frame = new VideoFrame(decoded, { timestamp: at });
        sample.close();
        decoded.close();
        encoder.encode(frame, { keyFrame: at === 0, ...options });
        frame.close();
        at++;
        while (encoder.encodeQueueSize > 4 && !fault)
          await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
        if (fault) throw fault;
      }
      await encoder.flush();
      if (fault) throw fault;
      if (chunks.length !== to - from) throw new Error('Not all frames could be read.');
    } finally {
      if (encoder.state !== 'closed') encoder.close();
    }
    if (codec === 'avc' && description) this.#join(description);
    return chunks.map((chunk) => {
      const frame = frames[from + chunk.timestamp] as Frame;
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      return new EncodedPacket(codec === 'avc' ? this.#renumber(data) : data, chunk.type, frame.time - this.#start, frame.duration);
    });
  }

  #joined = false;

  #join(description: Uint8Array) {
    if (this.#joined || !this.config) return;
    this.#joined = true;
    const both = joined(bytesOf(this.config.description), description);
    this.#renumber = both.renumber;
    this.config = { ...this.config, description: both.description };
  }
}

/** The first frame of a copied group of AV1, with the sequence that it belongs to before it: that of the encoded frames differs. */
function withSequence(data: Uint8Array, config: VideoDecoderConfig | undefined): Uint8Array {
  const typeAt = (at: number) => ((data[at] ?? 0) >> 3) & 15;
  const sequence = bytesOf(config?.description).subarray(4);
  // A temporal delimiter has two bytes.
  if (typeAt(0) === 1 || (typeAt(0) === 2 && typeAt(2) === 1)) return data;
  const result = new Uint8Array(sequence.length + data.length);
  result.set(sequence);
  result.set(data, sequence.length);
  return result;
}
