import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { fieldsOfCopy, outputFormats, renamed } from '#renderer/editor/picture/output.ts';
import { isAnimated } from '#renderer/editor/picture/source.ts';
import { animatedGif, animatedWebp, avif, gif, photoJpeg, png, webp } from '#test/helpers/pictures/images.ts';

describe('the format', () => {
  const exts = (...args: Parameters<typeof outputFormats>) => outputFormats(...args).map(({ ext }) => ext);

  it('stays the same where a canvas can write it', () => {
    expect(exts('png', false, undefined)[0]).toBe('png');
    expect(exts('jpg', false, undefined)[0]).toBe('jpg');
    expect(exts('webp', true, undefined)).toEqual(['webp', 'png']);
    expect(exts('gif', true, undefined)[0]).toBe('png');
    expect(exts('avif', false, undefined)).toEqual(['webp', 'jpg', 'png']);
  });

  it('is one that the group allows and that keeps transparency', () => {
    expect(exts('avif', false, ['jpg', 'avif'])).toEqual(['jpg']);
    expect(exts('webp', true, ['jpg', 'png'])).toEqual(['png']);
    expect(exts('avif', true, ['jpg', 'avif'])).toEqual(['webp', 'png']);
  });

  it('gives the file its extension', () => {
    expect(renamed('photo.of.me.avif', 'webp')).toBe('photo.of.me.webp');
    expect(renamed('Version 2.0 final', 'png', ' (edited)')).toBe('Version 2.0 final (edited).png');
    expect(renamed('photo', 'jpg')).toBe('photo.jpg');
  });
});

describe('animated pictures', () => {
  it('are told from still ones', async () => {
    for (const still of [gif(), webp(), png({ alpha: true }), photoJpeg(), avif({ width: 32, height: 32 })])
      expect(isAnimated(await still)).toBe(false);
    for (const moving of [animatedGif(), animatedWebp()]) expect(isAnimated(await moving)).toBe(true);
  });

  it('may be PNG and AVIF', async () => {
    const chunk = (type: string, length: number) => {
      const bytes = Buffer.alloc(12 + length);
      bytes.writeUInt32BE(length);
      bytes.write(type, 4, 'latin1');
      return bytes;
    };
    const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    expect(isAnimated(Buffer.concat([head, chunk('IHDR', 13), chunk('acTL', 8), chunk('IDAT', 4)]))).toBe(true);
    expect(isAnimated(Buffer.concat([head, chunk('IHDR', 13), chunk('IDAT', 4), chunk('acTL', 8)]))).toBe(false);
    expect(isAnimated(Buffer.from('\0\0\0\x20ftypavis', 'latin1'))).toBe(true);
  });

  it('may be damaged without holding anything up', async () => {
    const moving = await animatedGif();
    for (let length = 0; length < 40; length += 1) expect(isAnimated(moving.subarray(0, length))).toBe(false);
    expect(isAnimated(new Uint8Array())).toBe(false);
  });
});

describe('a copy', () => {
  const image = {
    visibility: 'public',
    has_password: false,
    title: 'Harbour',
    caption: '',
    alt: '',
    album_id: 'Qm3xT7aBcD',
    tags: ['sea', 'ships'],
    taken_at: '2024-05-06T07:08:09.000Z',
    max_views: 5,
    expires_at: new Date(100_000).toISOString(),
  } as unknown as Image;

  it('takes over the settings of the picture', () => {
    expect(fieldsOfCopy(image, 40_000)).toEqual({
      visibility: 'public',
      title: 'Harbour',
      album_id: 'Qm3xT7aBcD',
      tags: 'sea,ships',
      taken_at: '2024-05-06T07:08:09.000Z',
      max_views: '5',
      expires_at: new Date(100_000).toISOString(),
    });
  });

  it('is never open to more people: a password makes it private', () => {
    expect(fieldsOfCopy({ ...image, has_password: true }).visibility).toBe('private');
    expect(fieldsOfCopy({ ...image, visibility: 'private' }).visibility).toBe('private');
  });
});
