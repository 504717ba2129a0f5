import { expect, it } from 'vitest';
import { processForeign, processNative, transparentTo } from '#server/features/upload/processing.ts';

const LEAVE = { convert_to: null, max_side: 0, heic_to: 'jpg' } as const;
const still = { width: 1000, height: 500, animated: false };
const moving = { ...still, animated: true };

it.each([
  ['keeps the bytes without rules', 'jpeg', still, LEAVE, { kind: 'strip' }],
  ['keeps the bytes of what is small enough', 'jpeg', still, { ...LEAVE, max_side: 1000 }, { kind: 'strip' }],
  ['makes a larger one smaller in its own format', 'avif', still, { ...LEAVE, max_side: 999 }, { kind: 'encode', to: 'avif' }],
  ['converts', 'png', still, { ...LEAVE, convert_to: 'webp' }, { kind: 'encode', to: 'webp' }],
  ['keeps what is in the wanted format already', 'webp', still, { ...LEAVE, convert_to: 'webp' }, { kind: 'strip' }],
  ['leaves an animation that the format cannot hold', 'gif', moving, { ...LEAVE, convert_to: 'jpg' }, { kind: 'strip' }],
  ['leaves an animation that cannot be encoded', 'png', moving, { ...LEAVE, max_side: 100 }, { kind: 'strip' }],
  ['converts an animation to another animation', 'gif', moving, { ...LEAVE, convert_to: 'webp' }, { kind: 'encode', to: 'webp' }],
] as const)('%s', (_name, format, found, policy, expected) => {
  expect(processNative(format, found, policy)).toEqual(expected);
});

it.each([
  ['heic', LEAVE, 'jpg'],
  ['heic', { ...LEAVE, heic_to: 'webp' }, 'webp'],
  ['heic', { ...LEAVE, convert_to: 'webp' }, 'webp'],
  ['heif', { ...LEAVE, convert_to: 'png' }, 'jpg'],
  ['bmp', LEAVE, 'png'],
  ['tiff', { ...LEAVE, convert_to: 'jpg' }, 'jpg'],
] as const)('makes of %s with %j a %s', (format, policy, expected) => {
  expect(processForeign(format, policy)).toBe(expected);
});

it.each([
  ['jpg', LEAVE, undefined, 'webp'],
  ['webp', { ...LEAVE, heic_to: 'webp' }, undefined, undefined],
  ['jpg', { ...LEAVE, convert_to: 'png' }, undefined, 'webp'],
  ['jpg', { ...LEAVE, convert_to: 'jpg' }, undefined, undefined],
  ['png', LEAVE, 'png', undefined],
  ['jpg', LEAVE, 'jpg', undefined],
] as const)('makes of a HEIC with transparency, instead of a %s with %j and %s, a %s', (to, policy, chosen, expected) => {
  expect(transparentTo(to, policy, chosen)).toBe(expected);
});
