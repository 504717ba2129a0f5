import { longs, type Place, readHeif, type Segment, shorts, tableOfContents } from './heif-layouts.ts';
import { avif, type ImageOptions } from './images.ts';
import { isoBox } from './private-metadata.ts';

const FULL = Buffer.alloc(4);
const MATRIX = longs(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Frames per second. */
const RATE = 10;

/** An animated AVIF as libavif writes it: a track of pictures, and by default the first of them as a picture of its own. */
export async function animatedAvif({ width = 64, height = 48, seed = 1 }: ImageOptions = {}, hasStill = true): Promise<Buffer> {
  const stills = await Promise.all([0, 1, 2].map((i) => avif({ width, height, seed: seed + i })));
  const read = await Promise.all(stills.map(readHeif));
  const [{ meta, items } = { meta: undefined, items: [] }] = read;
  if (!meta) throw new Error('There are no pictures.');
  const samples = read.map((still): Segment => ({ bytes: still.items[0]?.bytes ?? Buffer.alloc(0) }));
  const still = items.map(({ id, type }) => ({ id, type, extents: samples.slice(0, 1) }));
  const ftyp = isoBox('ftyp', Buffer.from(`avis\0\0\0\0avismsf1miaf${hasStill ? 'avifmif1MA1B' : ''}`));
  const properties = meta.iprp.subarray(8 + 8);
  const configuration = properties
    .subarray(properties.indexOf('av1C') - 4)
    .subarray(0, properties.readUInt32BE(properties.indexOf('av1C') - 4));
  const head = (start: number) => {
    const places = new Map<Segment, Place>();
    let next = start;
    for (const sample of samples) {
      places.set(sample, { from: next, to: next + sample.bytes.length });
      next += sample.bytes.length;
    }
    const table = hasStill ? [tableOfContents(meta, still, [], places)] : [];
    return Buffer.concat([ftyp, ...table, movie({ width, height, configuration, samples, start })]);
  };
  return Buffer.concat([head(head(0).length + 8), isoBox('mdat', ...samples.map(({ bytes }) => bytes))]);
}

interface Track {
  readonly width: number;
  readonly height: number;
  readonly configuration: Buffer;
  readonly samples: readonly Segment[];
  /** Where the first sample begins. */
  readonly start: number;
}

function movie({ width, height, configuration, samples, start }: Track): Buffer {
  const count = samples.length;
  const entry = isoBox(
    'av01',
    Buffer.concat([
      shorts(0, 0, 0, 1),
      Buffer.alloc(16),
      shorts(width, height),
      longs(0x480000, 0x480000, 0),
      shorts(1),
      Buffer.alloc(32),
      shorts(24, 0xffff),
    ]),
    configuration,
  );
  const table = isoBox(
    'stbl',
    isoBox('stsd', FULL, longs(1), entry),
    isoBox('stts', FULL, longs(1, count, 1)),
    isoBox('stsc', FULL, longs(1, 1, count, 1)),
    isoBox('stsz', FULL, longs(0, count, ...samples.map(({ bytes }) => bytes.length))),
    isoBox('stco', FULL, longs(1, start)),
  );
  const references = isoBox('dinf', isoBox('dref', FULL, longs(1), isoBox('url ', Buffer.of(0, 0, 0, 1))));
  const media = isoBox(
    'mdia',
    isoBox('mdhd', FULL, longs(0, 0, RATE, count), shorts(0x55c4, 0)),
    isoBox('hdlr', FULL, longs(0), Buffer.from('pict'), Buffer.alloc(13)),
    isoBox('minf', isoBox('vmhd', Buffer.of(0, 0, 0, 1), Buffer.alloc(8)), references, table),
  );
  const track = isoBox(
    'trak',
    isoBox('tkhd', Buffer.of(0, 0, 0, 1), longs(0, 0, 1, 0, count), Buffer.alloc(16), MATRIX, longs(width * 0x10000, height * 0x10000)),
    media,
  );
  const header = isoBox('mvhd', FULL, longs(0, 0, RATE, count, 0x10000), Buffer.alloc(12), MATRIX, Buffer.alloc(24), longs(2));
  return isoBox('moov', header, track);
}
