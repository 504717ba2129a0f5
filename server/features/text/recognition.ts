import type { TextLanguage, TextLine, TextProgress } from '#api/images/text.ts';
import type { Context } from '#server/core/context.ts';
import {
  countPictures,
  newestWaiting,
  type Recognition,
  removeUnwanted,
  storeRecognition,
  type TextSource,
} from '#server/core/images/text/recognized.ts';
import { IN_BACKGROUND } from '#server/core/images/thumbnails.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { type RecognizeOptions, recognizeText } from '#server/platform/imaging/recognize.ts';
import { createAttempts } from '#server/platform/jobs/attempts.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';

/** Recognises the text in pictures, in the background (decision 154). */
export interface TextRecognition {
  /** Recognises text as long as pictures wait for it and nothing more urgent does; returns the number of pictures. The signal ends it at once, also in the middle of a picture, which waits again. */
  run(signal: AbortSignal): Promise<number>;
  /** Removes the texts of a batch of pictures whose owners have opted out; returns their number. */
  removeUnwanted(): Promise<number>;
  progress(): Promise<TextProgress>;
  /** The lines of text in a file that isn't an upload. @throws ImageError */
  read(path: string): Promise<TextLine[]>;
  /** Pauses while the computer runs on battery. */
  setOnBattery(onBattery: boolean): void;
}

type Parts = { db: WritableDatabase } & Pick<Context, 'blobs' | 'decoding' | 'settings' | 'log'>;

/** What Tesseract calls the languages. */
const DATA_OF = { en: 'eng', zh: 'chi_sim' } as const satisfies Record<TextLanguage, string>;

/** Seconds for a screenshot, measured in `bench/text.ts`. */
const TYPICAL_SECONDS = 2;

/** Uploads and previews come in bursts: recognition waits until there has been none for this long, */
const QUIET_MS = 1_000;
/** but not for longer than this where they never end. */
const MAX_WAIT_MS = 10_000;

export function createTextRecognition(parts: Parts): TextRecognition {
  const { db, settings } = parts;
  const measured = { pictures: 0, seconds: 0 };
  const attempts = createAttempts<number>(parts.log, 'couldn’t recognise the text in a picture; it will be tried again');
  let onBattery = false;
  let lastStart = Number.NEGATIVE_INFINITY;
  const languages = () => settings.current().ocr_languages.map((language) => DATA_OF[language]);

  function pause(): TextProgress['pause'] {
    if (!settings.current().ocr_enabled) return 'off';
    if (onBattery) return 'battery';
    const isInBurst = parts.decoding.quietMs() < QUIET_MS && performance.now() - lastStart < MAX_WAIT_MS;
    return isInBurst || isBusy(parts) ? 'busy' : null;
  }

  async function recognizeOne(source: TextSource, signal: AbortSignal) {
    const from = performance.now();
    lastStart = from;
    const recognition = await recognitionOf(parts, source, { languages: languages(), signal });
    measured.pictures += 1;
    measured.seconds += (performance.now() - from) / 1000;
    await db.write(async (queries) => {
      if ((await storeRecognition(queries, source, recognition, Date.now())) && recognition.state === 'done')
        tellImages(queries, 'image.changed', [source]);
    });
  }

  return {
    async run(signal) {
      let recognized = 0;
      while (!signal.aborted && pause() === null) {
        const source = await newestWaiting(db.read, attempts.resting());
        if (!source) break;
        const unlessEnded = (error: unknown) => {
          if (!signal.aborted) throw error;
        };
        const done = await attempts.run(source.id, () => recognizeOne(source, signal).catch(unlessEnded));
        if (done && !signal.aborted) recognized += 1;
      }
      return recognized;
    },
    removeUnwanted: () => removeUnwanted(db),
    async progress() {
      const cpu_seconds = measured.pictures > 0 ? measured.seconds / measured.pictures : TYPICAL_SECONDS;
      return { ...(await countPictures(db.read)), pause: pause(), cpu_seconds };
    },
    async read(path) {
      const own = parts.decoding.as({ who: 'service', purpose: 'view' });
      return (await recognizeText(path, { languages: languages() }, own)).lines;
    },
    setOnBattery(now) {
      onBattery = now;
    },
  };
}

/** Whether uploads or previews are being processed: they come first. */
function isBusy({ decoding }: Parts): boolean {
  const counts = decoding.counts();
  return [counts.decoding, counts.reading].some(({ running, waiting }) => running + waiting > 0);
}

async function recognitionOf(
  { blobs, decoding, log }: Parts,
  { policy_id, sha256, key }: TextSource,
  options: RecognizeOptions,
): Promise<Recognition> {
  try {
    const driver = await blobs.driverOf(policy_id);
    const { lines } = await driver.withFile(sha256, (path) => recognizeText(path, options, decoding.as(IN_BACKGROUND)));
    return lines.length > 0 ? { state: 'done', lines } : { state: 'none' };
  } catch (error) {
    // A damaged or lost picture has no text; a fault of the machine must not be mistaken for that.
    if (!(error instanceof ImageError || error instanceof BlobMissingError)) throw error;
    log.warn({ err: error, key }, 'couldn’t recognise the text in a picture');
    return { state: 'failed' };
  }
}
