import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images.ts';
import { DAY_HEIGHT, type ImageRow, type Layout, layOut, neighbour, type Row, rowOf } from '#renderer/images/layout.ts';

const OPTIONS = { width: 1000, target: 200, gap: 6, dayOf: (image: Image) => image.created_at.slice(0, 10) };

/** Images of varying shape, `perDay` to a day, newest first. */
function someImages(count: number, perDay = 25): Image[] {
  const shapes = [1.5, 0.66, 1.78, 1, 3.5, 0.2, 1.33];
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2026, 10, 21) - Math.floor(index / perDay) * 86_400_000).toISOString();
    return { key: `${index}`, width: Math.round(1000 * (shapes[index % shapes.length] as number)), height: 1000, created_at: day } as Image;
  });
}

const inPages = (images: Image[], size: number) =>
  Array.from({ length: Math.ceil(images.length / size) }, (_, index) => images.slice(index * size, (index + 1) * size));
const imageRows = (rows: readonly Row[]) => rows.filter((row): row is ImageRow => row.kind === 'images');
const widthOf = (row: ImageRow) => row.widths.reduce((sum, width) => sum + width, 0) + (row.widths.length - 1) * OPTIONS.gap;

describe('the grid layout', () => {
  it('shows every image once, in order, under its day', () => {
    const images = someImages(500);
    const { rows } = layOut([images], OPTIONS);
    let next = 0;
    let day: string | undefined;
    for (const row of rows) {
      expect(row.first).toBe(next);
      if (row.kind === 'day') {
        expect(row.height).toBe(DAY_HEIGHT);
        day = row.day;
        continue;
      }
      for (const image of images.slice(row.first, row.first + row.widths.length)) expect(OPTIONS.dayOf(image)).toBe(day);
      next += row.widths.length;
    }
    expect(next).toBe(500);
    expect(rows.filter((row) => row.kind === 'day')).toHaveLength(20);
  });

  it('ends every row on the same pixel, except a short last row of a day', () => {
    const rows = imageRows(layOut([someImages(500)], OPTIONS).rows);
    for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(1000);
    expect(rows.filter((row) => widthOf(row) === 1000).length).toBeGreaterThan(rows.length * 0.75);
    for (const row of rows) expect(row.widths.every((width) => Number.isInteger(width) && width > 0)).toBe(true);
  });

  it('keeps rows near the target height for images of any shape', () => {
    for (const row of imageRows(layOut([someImages(500)], OPTIONS).rows)) {
      expect(row.height).toBeGreaterThan(110);
      expect(row.height).toBeLessThan(290);
    }
  });

  it('produces the same rows page by page as all at once', () => {
    const images = someImages(430, 37);
    let layout: Layout<Image> | undefined;
    const pages = inPages(images, 50);
    for (let count = 1; count <= pages.length; count += 1) layout = layOut(pages.slice(0, count), OPTIONS, layout);
    expect(layout?.rows).toEqual(layOut([images], OPTIONS).rows);
  });

  it('keeps finished rows when a page arrives, and starts again when an earlier page changes', () => {
    const [first, second] = inPages(someImages(100), 50) as [Image[], Image[]];
    const before = layOut([first], OPTIONS);
    const after = layOut([first, second], OPTIONS, before);
    for (let index = 0; index < before.closedRows; index += 1) expect(after.rows[index]).toBe(before.rows[index]);
    const changed = layOut([first.slice(1), second], OPTIONS, after);
    expect(changed.rows).toEqual(layOut([first.slice(1), second], OPTIONS).rows);
  });

  it('lays out a single image, and one without a size', () => {
    expect(layOut([[]], OPTIONS).rows).toEqual([]);
    const [image] = someImages(1) as [Image];
    expect(imageRows(layOut([[image]], OPTIONS).rows)[0]).toMatchObject({ widths: [300], height: 200 });
    expect(imageRows(layOut([[{ ...image, width: 0, height: 0 }]], OPTIONS).rows)[0]).toMatchObject({ widths: [200] });
  });

  it('lays out another page of 200 below 100 000 images in milliseconds', () => {
    const pages = inPages(someImages(100_000), 200);
    const before = layOut(pages.slice(0, -1), OPTIONS);
    const start = performance.now();
    const after = layOut(pages, OPTIONS, before);
    expect(performance.now() - start).toBeLessThan(100);
    expect(after.images).toHaveLength(100_000);
  });
});

describe('navigation in the grid', () => {
  const { rows } = layOut([someImages(200)], OPTIONS);

  it('finds the row of every image', () => {
    for (let image = 0; image < 200; image += 1) {
      const row = rows[rowOf(rows, image)] as ImageRow;
      expect(row.kind).toBe('images');
      expect(image - row.first).toBeGreaterThanOrEqual(0);
      expect(image - row.first).toBeLessThan(row.widths.length);
    }
  });

  it('moves up and down across day headings and stops at both ends', () => {
    let image = 0;
    const visited = [image];
    for (;;) {
      const below = neighbour(rows, image, 1, OPTIONS.gap);
      if (below === image) break;
      expect(below).toBeGreaterThan(image);
      expect(imageRows(rows).indexOf(rows[rowOf(rows, below)] as ImageRow)).toBe(visited.length);
      image = below;
      visited.push(image);
    }
    expect(visited).toHaveLength(imageRows(rows).length);
    expect(neighbour(rows, 0, -1, OPTIONS.gap)).toBe(0);
  });
});
