import type { SniffedFormat } from './types.ts';

const text = (head: Uint8Array, start: number, end: number) => Buffer.from(head.subarray(start, end)).toString('latin1');

/** What a file is by its first bytes, never by its name; undefined when it is no known picture. */
export function sniff(head: Uint8Array): SniffedFormat | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  if (text(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a/.test(text(head, 0, 6))) return 'gif';
  if (text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP') return 'webp';
  if (text(head, 4, 12) === 'ftypavif' || text(head, 4, 12) === 'ftypavis') return 'avif';
  return undefined;
}
