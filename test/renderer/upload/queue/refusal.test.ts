import { describe, expect, it } from 'vitest';
import { refuse } from '#renderer/upload/queue/refusal.ts';

const LIMITS = { max_file_bytes: 1000, max_video_bytes: 2000, max_video_seconds: 60, allowed_exts: ['jpg', 'png', 'heic'] };
const file = (name: string, size: number, type = '') => new File(['x'.repeat(size)], name, { type });

describe('refusals before sending', () => {
  it('refuses a file over the size limit, and names the limit', () => {
    expect(refuse(file('a.jpg', 1001, 'image/jpeg'), LIMITS)?.details).toEqual({ code: 'file_too_large', max_bytes: 1000 });
    expect(refuse(file('a.jpg', 1000, 'image/jpeg'), LIMITS)).toBeUndefined();
    expect(refuse(file('a.jpg', 5000, 'image/jpeg'), { ...LIMITS, max_file_bytes: 0 })).toBeUndefined();
  });

  it('refuses a file if neither its name nor its type suggests an image', () => {
    expect(refuse(file('notes.txt', 5, 'text/plain'), LIMITS)?.details).toEqual({
      code: 'ext_not_allowed',
      allowed_exts: LIMITS.allowed_exts,
    });
  });

  it('has limits of their own for videos, which are refused where they aren’t allowed', () => {
    const withVideos = { ...LIMITS, allowed_exts: ['jpg', 'mp4'] };
    for (const [name, type] of [
      ['a.mp4', 'video/mp4'],
      ['a.M4V', ''],
      ['clip', 'video/mp4'],
    ] as const) {
      expect(refuse(file(name, 2000, type), withVideos), name).toBeUndefined();
      expect(refuse(file(name, 2001, type), withVideos)?.details).toEqual({ code: 'file_too_large', max_bytes: 2000 });
    }
    for (const name of ['a.mov', 'a.webm']) expect(refuse(file(name, 5), withVideos)?.details.code).toBe('ext_not_allowed');
    expect(refuse(file('a.mp4', 5, 'video/mp4'), LIMITS)?.details.code).toBe('ext_not_allowed');
  });

  it.each([
    ['a type without a known extension', file('picture.jfif', 5, 'image/jpeg')],
    ['an extension without a type', file('IMG_1.HEIC', 5)],
    ['a name without extension', file('clipboard', 5)],
  ])('leaves %s to the service, which decides by content', (_, unsure) => {
    expect(refuse(unsure, LIMITS)).toBeUndefined();
  });

  it('refuses nothing until the limits are known', () => {
    expect(refuse(file('notes.txt', 5), undefined)).toBeUndefined();
  });
});
