import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
} from 'mediabunny';

const FOLDER = join(import.meta.dirname, '../../fixtures/video');

export const videoPath = (name: string): string => join(FOLDER, name);
/** A video of the fixtures. Those named after their codecs have metadata of every kind, each of which says “Secret”. */
export const videoFixture = (name: string): Buffer => readFileSync(videoPath(name));

/** What a player finds in a video. */
export async function describeVideo(bytes: Uint8Array) {
  const input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: [MP4, QTFF, WEBM] });
  const tracks = await Promise.all(
    (await input.getTracks()).map(async (track) => {
      const samples = createHash('sha256');
      let count = 0;
      for await (const { data } of new EncodedPacketSink(track).packets()) {
        samples.update(data);
        count++;
      }
      return {
        type: track.type,
        codec: track.codec,
        language: track.languageCode,
        name: track.name,
        count,
        samples: samples.digest('hex'),
      };
    }),
  );
  return { tracks, tags: await input.getMetadataTags() };
}

/** The names of the boxes of an MP4, outside of others. */
export function boxesOf(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    names.push(bytes.toString('latin1', at + 4, at + 8));
    const size = bytes.readUInt32BE(at);
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size || bytes.length;
  }
  return names;
}

/** A box of an MP4. */
export function mp4Box(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A copy of some bytes in which what follows a box's name is changed. */
export function withBox(bytes: Buffer, type: string, change: (body: Buffer, header: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(type, 0, 'latin1');
  if (at < 0) throw new Error(`there is no ${type}`);
  change(copy.subarray(at + 4), copy.subarray(at - 4, at + 4));
  return copy;
}

/** A video of about so many mebibytes, with sound. Its samples are noise, since nothing decodes them. */
export async function largeVideo(mebibytes: number): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const [video, audio] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('opus')];
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 640, codedHeight: 360 };
  const sound = { decoderConfig: { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000 } };
  for (let at = 0; at < mebibytes; at++) {
    const key = at % 5 === 0 ? 'key' : 'delta';
    await video.add(new EncodedPacket(new Uint8Array(randomBytes(2 ** 20)), key, at / 10, 0.1), at === 0 ? { decoderConfig } : undefined);
    await audio.add(new EncodedPacket(new Uint8Array(randomBytes(3000)), 'key', at / 10, 0.1), at === 0 ? sound : undefined);
  }
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}
