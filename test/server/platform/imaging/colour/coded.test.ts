import { describe, expect, it } from 'vitest';
import { readAv1Codes, readHevcCodes } from '#server/platform/imaging/colour/coded.ts';

// The beginnings of pictures that avifenc and FFmpeg wrote with these encoders.

describe('the colours in an AV1 picture', () => {
  it.each([
    ['libaom, a still picture', '12000a09181dafffb14244024132930844640092', { primaries: 9, transfer: 16, isFullRange: false }],
    ['rav1e, a still picture', '12000a091fddafff974303418532a10964578dc4', { primaries: 12, transfer: 13, isFullRange: false }],
    ['libaom, a sequence', '12000a0d00000002aff79b5f2a1220120832ff0414002320', { primaries: 9, transfer: 16, isFullRange: false }],
    ['SVT-AV1, without colours', '12000a0a00000003b5fff3efe701329a0c1400a1', { primaries: 2, transfer: 2, isFullRange: false }],
  ])('are read: %s', (_, data, codes) => {
    expect(readAv1Codes(Buffer.from(data, 'hex'))).toEqual(codes);
  });

  it('are unknown where the header is missing or cut off', () => {
    const data = Buffer.from('12000a09181dafffb14244024132930844640092', 'hex');
    expect(readAv1Codes(Buffer.alloc(0))).toBeUndefined();
    expect(readAv1Codes(data.subarray(0, 2))).toBeUndefined();
    for (let end = 3; end < data.length; end++) expect(() => readAv1Codes(data.subarray(0, end))).not.toThrow();
  });
});

describe('the colours in an HEVC picture', () => {
  it.each([
    ['10 bits', '42010102200000030090000003000003001ea020831365959ae4caf016a12201208000000300800000030284', 9, 16, false],
    [
      'scaling lists, layers and references',
      '42010101600000030090000003000003001ea024839d4996566b9395e02dc24482410000030001000003000508',
      ...[9, 18, true],
    ],
    ['an aspect ratio, 4:4:4', '4201010408000003009e2800000300001e90041020b2dd49265782f3860681020000030002000003000a10', ...[12, 13, true]],
    ['no colours', '42010101600000030090000003000003001ea020810596566924caf016808000000300800000030284', 2, 2, false],
  ] as const)('are read: %s', (_, set, primaries, transfer, isFullRange) => {
    expect(readHevcCodes(configOf(Buffer.from(set, 'hex')))).toEqual({ primaries, transfer, isFullRange });
  });

  it('are unknown where the parameters are missing, cut off or nonsense', () => {
    const set = Buffer.from('42010102200000030090000003000003001ea020831365959ae4caf016a12201208000000300800000030284', 'hex');
    const config = configOf(set);
    for (let end = 0; end < config.length; end++) expect(() => readHevcCodes(config.subarray(0, end))).not.toThrow();
    expect(readHevcCodes(Buffer.alloc(23))).toBeUndefined();
    expect(readHevcCodes(configOf(Buffer.alloc(300)))).toBeUndefined();
    for (let byte = 0; byte < 256; byte++) expect(() => readHevcCodes(configOf(Buffer.alloc(1_000, byte)))).not.toThrow();
  });
});

/** The content of an `hvcC` box with these parameters. */
function configOf(set: Buffer): Buffer {
  const config = Buffer.concat([Buffer.alloc(22), Buffer.of(1, 33, 0, 1, 0, 0), set]);
  config.writeUInt16BE(set.length, 26);
  return config;
}
