import { expect, it } from 'vitest';
import { requireHash } from '#server/platform/imaging/decoder/text/language-data.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it('rejects a language file that isn’t the expected one', () => {
  expect(() => requireHash(new Uint8Array(), { file: 'eng.gz', sha256: EMPTY })).not.toThrow();
  expect(() => requireHash(Buffer.from('other'), { file: 'eng.gz', sha256: EMPTY })).toThrow(/^eng\.gz has the SHA-256 .* instead of e3b0/);
});
