import { expect, it } from 'vitest';
import { loadInTurn } from '#renderer/images/grid/thumbnail.tsx';

/** What the queue uses of an image. */
class FakeImage extends EventTarget {
  src: string | undefined;
  removeAttribute() {
    this.src = undefined;
  }
}

it('loads two images at a time, in order, and passes over those that are gone', () => {
  const images = Array.from({ length: 6 }, () => new FakeImage());
  const leave = images.map((image, index) => loadInTurn(image as unknown as HTMLImageElement, `${index}.jpg`));
  const loading = () => images.flatMap(({ src }) => src ?? []);
  expect(loading()).toEqual(['0.jpg', '1.jpg']);
  leave[2]?.();
  images[1]?.dispatchEvent(new Event('load'));
  expect(loading()).toEqual(['0.jpg', '1.jpg', '3.jpg']);
  images[0]?.dispatchEvent(new Event('error'));
  leave[3]?.();
  expect(loading()).toEqual(['0.jpg', '1.jpg', '4.jpg', '5.jpg']);
  // Reloaded later, as after an outage: its place is taken by no one twice.
  images[1]?.dispatchEvent(new Event('load'));
  expect(loading()).toEqual(['0.jpg', '1.jpg', '4.jpg', '5.jpg']);
  for (const end of leave) end();
  expect(loading()).toEqual([]);
});
