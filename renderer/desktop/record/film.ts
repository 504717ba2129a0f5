import {
  AudioSample,
  AudioSampleSource,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  type StreamTargetChunk,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import type { FilmOptions } from '#api/desktop/recording.ts';

/** Seconds between key frames. A fragment ends before each, and is then on its way to the disk. */
const KEY_FRAMES = 1;
/** A screen that stands still provides no frames: the last one is repeated after that many milliseconds. */
const STILL_MS = 400;
/** Frames that wait for the encoder; more are dropped. */
const MAX_WAITING = 4;
/** Seconds by which the sound may differ from the clock before it is corrected: for a while, and at once where some is missing. */
const MAX_DRIFT = 0.03;
const MAX_GAP = 0.15;
/** The part of each new difference in the average one. */
const DRIFT_WEIGHT = 0.02;
/** Seconds without sound after which there is silence: the picture would wait for it. */
const MAX_SILENCE = 0.5;
/** Bits for each pixel of a frame; screens change little. */
const BITS_PER_PIXEL = 0.08;
const SOUND_BITS = 128_000;
/** Bytes that wait for the disk. */
const MAX_UNSENT = 32 * 1024 * 1024;
/** The time that a microphone has to be heard before the film begins without it. */
const SOUND_LIMIT_MS = 2_000;
const POSTER_SIDE = 1280;

interface Sinks {
  /** Resolves once the bytes are safe. `seconds`: the length so far. */
  append(position: number, bytes: Uint8Array<ArrayBuffer>, seconds: number): Promise<void>;
  poster(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Filming is over: it was finished, what is filmed is gone, or it failed with a reason. */
  ended(problem: string | null): void;
}

/** A clock whose time stamps have an unknown beginning: what arrives earliest shows it. */
class Anchor {
  #offset = Number.POSITIVE_INFINITY;

  /** The time of `performance.now()` at which something with a time stamp in microseconds was there. */
  time(timestamp: number): number {
    this.#offset = Math.min(this.#offset, performance.now() - timestamp / 1000);
    return timestamp / 1000 + this.#offset;
  }
}

/** The screen and its sound as a fragmented MP4. Times are in milliseconds of `performance.now()`, those of the film in seconds. */
export class Film {
  readonly #options: FilmOptions;
  readonly #sinks: Sinks;
  readonly #picture: MediaStreamTrack;
  readonly #sound: MediaStreamTrack | undefined;
  readonly #tracks: MediaStreamTrack[];
  #output: Output | undefined;
  #video: VideoSampleSource | undefined;
  #audio: AudioSampleSource | undefined;
  /** When the film would have begun without pauses; undefined until it runs, and while it is paused. */
  #origin: number | undefined;
  #pausedAt: number | undefined;
  #last: VideoFrame | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #lastTime = -1;
  #waiting = 0;
  #heard = 0;
  /** Seconds by which the sound is ahead, on average. */
  #ahead = 0;
  /** Of the sound: all of it must have the same. */
  #format = { rate: 48_000, channels: 1 };
  readonly #firstSound = Promise.withResolvers<void>();
  #adding: Promise<unknown> = Promise.resolve();
  #still: ReturnType<typeof setInterval> | undefined;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #position = 0;
  #sending: Promise<void> | undefined;
  #isOver = false;

  /** Asks for the screen and the microphone. @throws DOMException when the system refuses */
  static async open(options: FilmOptions, sinks: Sinks): Promise<Film> {
    const { framesPerSecond, pointer, microphone, sound, width, height } = options;
    const video = {
      frameRate: { ideal: framesPerSecond, max: framesPerSecond },
      cursor: pointer ? 'always' : 'never',
      // Otherwise it is scaled to what this window knows of its display.
      width: { max: width },
      height: { max: height },
    };
    const screen = await navigator.mediaDevices.getDisplayMedia({ video, audio: sound });
    const voice = microphone ? await navigator.mediaDevices.getUserMedia({ audio: true }) : undefined;
    const film = new Film(options, sinks, [...screen.getTracks(), ...(voice?.getTracks() ?? [])]);
    // Silence in its place would have another format.
    if (film.#sound) await Promise.race([film.#firstSound.promise, new Promise((resolve) => setTimeout(resolve, SOUND_LIMIT_MS))]);
    return film;
  }

  private constructor(options: FilmOptions, sinks: Sinks, tracks: MediaStreamTrack[]) {
    const picture = tracks.find(({ kind }) => kind === 'video');
    if (!picture) throw new Error('There is no picture.');
    this.#options = options;
    this.#sinks = sinks;
    this.#tracks = tracks;
    this.#picture = picture;
    this.#sound = mixed(tracks.filter(({ kind }) => kind === 'audio'));
    picture.addEventListener('ended', () => void this.finish());
    void this.#guard(this.#watch());
    if (this.#sound) void this.#guard(this.#listen(this.#sound));
  }

  /** Seconds filmed so far. */
  seconds(): number {
    return this.#timeAt(this.#pausedAt ?? performance.now());
  }

  begin(): void {
    this.#origin ??= performance.now();
    this.#still = setInterval(() => this.#repeat(STILL_MS), STILL_MS / 4);
    this.#repeat(0);
  }

  pause(): void {
    if (this.#origin !== undefined) this.#pausedAt ??= performance.now();
  }

  resume(): void {
    if (this.#pausedAt === undefined || this.#origin === undefined) return;
    this.#origin += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Ends the film; `ended` is called once all of it is safe. */
  async finish(): Promise<void> {
    if (this.#isOver) return;
    // The last picture lasts until now.
    if (this.#pausedAt === undefined) this.#repeat(0);
    this.#isOver = true;
    await this.#guard(this.#end(), () => this.#sinks.ended(null));
  }

  async #end() {
    this.#release();
    await this.#adding;
    await this.#output?.finalize();
    await this.#sending;
  }

  #release() {
    clearInterval(this.#still);
    for (const track of this.#tracks) track.stop();
    this.#sound?.stop();
  }

  /** Reports what fails in `work`, once. */
  async #guard(work: Promise<unknown>, then: () => void = () => undefined) {
    try {
      await work;
      then();
    } catch (error) {
      console.error(error);
      this.#isOver = true;
      this.#release();
      await this.#sending?.catch(() => undefined);
      this.#sinks.ended(String(error));
    }
  }

  #timeAt(time: number): number {
    return this.#origin === undefined ? 0 : (time - this.#origin) / 1000;
  }

  get #isRunning() {
    return this.#origin !== undefined && this.#pausedAt === undefined && !this.#isOver;
  }

  async #watch() {
    const anchor = new Anchor();
    const frames = new MediaStreamTrackProcessor({ track: this.#picture as MediaStreamVideoTrack }).readable.getReader();
    for (;;) {
      const { done, value: frame } = await frames.read();
      if (done) return;
      const at = anchor.time(frame.timestamp);
      this.#last?.close();
      this.#last = frame;
      this.#take(at);
    }
  }

  /** Films the last frame once more if none has come for a while. */
  #repeat(after: number) {
    const now = performance.now();
    if (this.#isRunning && now - this.#lastAt >= after) this.#take(now);
  }

  /** Films the last frame, unless the encoder is behind or it comes too soon. */
  #take(at: number) {
    const time = this.#timeAt(at);
    // Systems deliver more frames than they were asked for, at uneven times.
    if (!this.#last || !this.#isRunning || time < 0 || time - this.#lastTime < 0.7 / this.#options.framesPerSecond) return;
    if (this.#waiting >= MAX_WAITING) return;
    this.#lastAt = at;
    this.#lastTime = time;
    const frame = cut(this.#last, this.#options.crop, time);
    this.#waiting++;
    this.#add(async () => {
      using sample = new VideoSample(frame);
      try {
        const video = this.#video ?? (await this.#start(frame));
        await video.add(sample);
      } finally {
        this.#waiting--;
      }
    });
  }

  /** Samples are encoded one after the other. */
  #add(work: () => Promise<void>) {
    this.#adding = this.#adding.then(work);
    void this.#guard(this.#adding);
  }

  async #start(frame: VideoFrame): Promise<VideoSampleSource> {
    const { displayWidth: width, displayHeight: height } = frame;
    const { framesPerSecond } = this.#options;
    const quality = new Quality({ bitrate: Math.max(1_000_000, Math.round(width * height * framesPerSecond * BITS_PER_PIXEL)) });
    const codec = await getFirstEncodableVideoCodec(['avc', 'vp9', 'av1'], { width, height, quality, frameRate: framesPerSecond });
    if (!codec) throw new Error('This computer can’t encode videos of this size.');
    const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: KEY_FRAMES / 2 });
    const output = new Output({ format, target: new StreamTarget(this.#writable()) });
    const video = new VideoSampleSource({
      codec,
      quality,
      keyFrameInterval: KEY_FRAMES,
      latencyMode: 'realtime',
      // A window may change its size.
      sizeChangeBehavior: 'contain',
    });
    output.addVideoTrack(video);
    if (this.#sound) {
      const { rate: sampleRate, channels: numberOfChannels } = this.#format;
      const sound = { sampleRate, numberOfChannels, quality: new Quality({ bitrate: SOUND_BITS }) };
      const soundCodec = await getFirstEncodableAudioCodec(['aac', 'opus'], sound);
      if (!soundCodec) throw new Error('This computer can’t encode sound.');
      this.#audio = new AudioSampleSource({ codec: soundCodec, quality: sound.quality });
      output.addAudioTrack(this.#audio);
    }
    await output.start();
    this.#output = output;
    this.#video = video;
    void posterOf(frame).then(this.#sinks.poster);
    return video;
  }

  async #listen(track: MediaStreamTrack) {
    const anchor = new Anchor();
    const parts = new MediaStreamTrackProcessor({ track: track as MediaStreamAudioTrack }).readable.getReader();
    const silence = setInterval(() => {
      const behind = this.seconds() - this.#heard;
      if (this.#isRunning && this.#audio && behind > MAX_SILENCE) this.#hush(behind - MAX_SILENCE / 2);
    }, 100);
    try {
      for (;;) {
        const { done, value: part } = await parts.read();
        if (done) return;
        const at = anchor.time(part.timestamp);
        if (this.#heard === 0) this.#format = { rate: part.sampleRate, channels: part.numberOfChannels };
        this.#firstSound.resolve();
        if (this.#audio && part.sampleRate === this.#format.rate && part.numberOfChannels === this.#format.channels)
          this.#hear(part, this.#timeAt(at));
        part.close();
      }
    } finally {
      clearInterval(silence);
    }
  }

  /** Samples follow each other without gaps; the clock of a microphone isn't that of the picture. */
  #hear(part: AudioData, time: number) {
    if (!this.#isRunning || time < 0) return;
    const ahead = this.#heard - time;
    const seconds = part.numberOfFrames / part.sampleRate;
    this.#ahead += (ahead - this.#ahead) * (Math.abs(ahead) > MAX_GAP ? 1 : DRIFT_WEIGHT);
    if (this.#ahead > MAX_DRIFT) {
      this.#ahead -= seconds;
      return;
    }
    if (this.#ahead < -MAX_DRIFT) {
      this.#hush(-this.#ahead);
      this.#ahead = 0;
    }
    this.#sounded(new AudioSample(part.clone()), seconds);
  }

  #hush(seconds: number) {
    const { rate: sampleRate, channels: numberOfChannels } = this.#format;
    const frames = Math.round(seconds * sampleRate);
    if (frames === 0) return;
    const data = new Float32Array(frames * numberOfChannels);
    this.#sounded(new AudioSample({ data, format: 'f32-planar', numberOfChannels, sampleRate, timestamp: 0 }), frames / sampleRate);
  }

  #sounded(sample: AudioSample, seconds: number) {
    sample.setTimestamp(this.#heard);
    this.#heard += seconds;
    this.#add(async () => {
      await this.#audio?.add(sample);
      sample.close();
    });
  }

  #writable() {
    return new WritableStream<StreamTargetChunk>({
      write: async ({ data }) => {
        this.#unsent.push(data.slice());
        this.#unsentBytes += data.byteLength;
        this.#sending ??= this.#send();
        if (this.#unsentBytes > MAX_UNSENT) await this.#sending;
      },
    });
  }

  /** Sends what there is, in order and one part at a time, until nothing is left. */
  async #send() {
    try {
      // What is written together is sent together.
      await Promise.resolve();
      while (this.#unsent.length > 0) {
        const bytes = joined(this.#unsent);
        this.#unsent = [];
        this.#unsentBytes = 0;
        await this.#sinks.append(this.#position, bytes, this.seconds());
        this.#position += bytes.byteLength;
      }
    } finally {
      this.#sending = undefined;
    }
  }
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

/** A part of a frame, given from 0 to 1, at a time in seconds. Encoders need even numbers. */
function cut(frame: VideoFrame, crop: FilmOptions['crop'], time: number): VideoFrame {
  const {
    x: left,
    y: top,
    width: across,
    height: down,
  } = frame.visibleRect ?? { x: 0, y: 0, width: frame.codedWidth, height: frame.codedHeight };
  const even = (value: number) => 2 * Math.floor(value / 2);
  const [x, y] = crop ? [even(left + crop.x * across), even(top + crop.y * down)] : [even(left), even(top)];
  const width = Math.max(2, even(Math.min(crop ? crop.width * across : across, left + across - x)));
  const height = Math.max(2, even(Math.min(crop ? crop.height * down : down, top + down - y)));
  const timestamp = Math.round(time * 1_000_000);
  return new VideoFrame(frame, { visibleRect: { x, y, width, height }, displayWidth: width, displayHeight: height, timestamp });
}

/** A frame as JPEG. */
async function posterOf(frame: VideoFrame): Promise<Uint8Array<ArrayBuffer>> {
  const scale = Math.min(1, POSTER_SIDE / Math.max(frame.displayWidth, frame.displayHeight));
  const canvas = new OffscreenCanvas(Math.round(frame.displayWidth * scale), Math.round(frame.displayHeight * scale));
  canvas.getContext('2d')?.drawImage(frame, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** The microphone and what the computer plays as one. */
function mixed(tracks: MediaStreamTrack[]): MediaStreamTrack | undefined {
  if (tracks.length < 2) return tracks[0];
  const context = new AudioContext();
  const both = context.createMediaStreamDestination();
  for (const track of tracks) context.createMediaStreamSource(new MediaStream([track])).connect(both);
  return both.stream.getAudioTracks()[0];
}
