import { PREVIEW_WIDTH } from '#renderer/images/address.ts';

/** What a page can tell of a video before it sends it, as far as the browser can read it. */
interface Read {
  seconds?: number | undefined;
  poster?: Blob | undefined;
}

/** Milliseconds after which a video is sent without a poster. */
const TIME_LIMIT = 8000;
/** Where to look for a frame that shows something, as parts of the duration; the first is at most a second after the beginning. */
export const MOMENTS = [0.1, 0.25, 0.5, 0.75];
/** Up to this brightness of its brightest point, from 0 to 255, a frame is black. */
const BLACK = 24;

const reads = new WeakMap<Blob, Promise<Read>>();

/** Reads a video once: a retry sends the same poster. */
export function readVideo(file: Blob): Promise<Read> {
  const known = reads.get(file) ?? read(file);
  reads.set(file, known);
  return known;
}

async function read(file: Blob): Promise<Read> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  const result: Read = {};
  const look = async () => {
    const loaded = next(video, 'loadeddata');
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', src: address });
    video.addEventListener('loadedmetadata', () => {
      // Some recordings don't say how long they are.
      if (Number.isFinite(video.duration)) result.seconds = video.duration;
    });
    await loaded;
    const { seconds = 10 } = result;
    for (const part of MOMENTS) {
      const seeked = next(video, 'seeked');
      video.currentTime = part === MOMENTS[0] ? Math.min(1, seconds * part) : seconds * part;
      await seeked;
      const frame = drawFrame(video, sizeOf(video));
      const poster = await frame.poster();
      if (!frame.isBlack()) {
        result.poster = poster;
        return;
      }
      result.poster ??= poster;
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise((resolve) => {
    timer = setTimeout(resolve, TIME_LIMIT);
  });
  // A file that the browser can't show is for the service to judge.
  await Promise.race([look().catch(() => undefined), tooLong]);
  clearTimeout(timer);
  video.removeAttribute('src');
  video.load();
  URL.revokeObjectURL(address);
  return { ...result };
}

/** The frame that a video shows now, as a poster; undefined where the browser can't show one. */
export async function frameOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth > 0
    ? drawFrame(video, sizeOf(video)).poster()
    : undefined;
}

function next(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The browser can’t show this video')), { once: true });
  });
}

const sizeOf = ({ videoWidth: width, videoHeight: height }: HTMLVideoElement) => ({ width, height });

/** A frame as a poster, which is no larger than it is needed, and whether it shows nothing. */
export function drawFrame(frame: CanvasImageSource, { width, height }: { width: number; height: number }) {
  const scale = Math.min(1, PREVIEW_WIDTH / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(frame, 0, 0, canvas.width, canvas.height);
  return {
    poster: () => new Promise<Blob | undefined>((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', 0.9)),
    isBlack() {
      const { data = [] } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      // Every tenth point.
      for (let at = 0; at < data.length; at += 40) if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) > BLACK) return false;
      return true;
    },
  };
}
