import { pick, type Random, shuffled } from '#test/helpers/random.ts';
import { pixels } from './images.ts';

const [WIDTH, ROWS, STRIPS] = [24, 4, 5];
const [SHORT, LONG, UNDEFINED] = [3, 4, 7];

/** A TIFF without compression whose strips share bytes, and whose metadata point to strips or elsewhere, with the orientation at last. */
export function layOutTiff(random: Random): { file: Buffer; what: string } {
  const picture = pixels({ width: WIDTH, height: ROWS * STRIPS });
  const length = 3 * WIDTH * ROWS;
  // A strip may begin within another.
  const offsets = Array.from({ length: STRIPS }, () => 8 + pick(random, [0, 1, 2, 3, 4, 1.5]) * length);
  const metadata = shuffled([700, 33723, 34377, 34665, 34853], random)
    .slice(0, random(4))
    .sort((a, b) => a - b);
  const pointer = () => pick(random, [...offsets, 8 + picture.length]);
  const values = 8 + picture.length + 16;
  const entries: [number, number, number, number][] = [
    [256, LONG, 1, WIDTH],
    [257, LONG, 1, ROWS * STRIPS],
    [258, SHORT, 3, values],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, STRIPS, values + 8],
    [274, SHORT, 1, 1 + random(8)],
    [277, SHORT, 1, 3],
    [278, LONG, 1, ROWS],
    [279, LONG, STRIPS, values + 8 + 4 * STRIPS],
    ...metadata.map((tag): [number, number, number, number] => [tag, tag > 34377 ? LONG : UNDEFINED, tag > 34377 ? 1 : 40, pointer()]),
  ];
  const lists = [8, 8, 8, 0].flatMap((value) => [value, 0]);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * i);
    directory.writeUInt16LE(type, 4 + 12 * i);
    directory.writeUInt32LE(count, 6 + 12 * i);
    directory.writeUInt32LE(value, 10 + 12 * i);
  }
  const longs = Buffer.alloc(8 * STRIPS);
  for (const [i, offset] of offsets.entries()) {
    longs.writeUInt32LE(offset, 4 * i);
    longs.writeUInt32LE(length, 4 * (STRIPS + i));
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(values + 8 + longs.length, 4);
  const file = Buffer.concat([head, picture, Buffer.alloc(16), Buffer.from(lists), longs, directory]);
  return { file, what: `strips at ${offsets.join(' ')}, tags ${metadata.join(' ')}` };
}
