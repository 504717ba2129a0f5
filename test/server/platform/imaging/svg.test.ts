import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { withMemoryLimit } from '#server/platform/imaging/decoder/threads/wasm-memory.ts';
import { decoders } from '#server/platform/imaging/decoders.ts';
import { MAX_SVG_BYTES } from '#server/platform/imaging/drawing.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { strip } from '#server/platform/imaging/strip.ts';
import { readSvgHeader } from '#server/platform/imaging/svg/header.ts';
import { makeThumbnail } from '#server/platform/imaging/thumbnail.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { blackPng } from '#test/helpers/pictures/bombs.ts';
import { forbidden, unbounded } from '#test/helpers/pictures/decoding.ts';
import { BILLION_LAUGHS, svg, usesOfUses } from '#test/helpers/pictures/drawings.ts';
import { inspected } from '#test/helpers/pictures/inspected.ts';
import { cpuSince } from '#test/helpers/programs/cpu.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

async function stored(file: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'drawing');
  await writeFile(path, file);
  return path;
}

/** The size of a drawing that is accepted. */
async function accepted(file: Uint8Array, decoding = unbounded) {
  const found = await inspected(await stored(file), 'svg', DEFAULT_IMAGE_LIMITS, decoding);
  const refuse = () => Promise.reject(new Error('a drawing stays as it is'));
  await strip(found, { keepsMetadata: false, limits: DEFAULT_IMAGE_LIMITS }, refuse, decoding);
  return { width: found.width, height: found.height };
}

async function thumbnail(file: Buffer, width: number) {
  const path = await stored(file);
  await makeThumbnail(path, { width }, `${path}.jpg`, unbounded);
  const { data, info } = await sharp(await readFile(`${path}.jpg`))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  return { width: info.width, height: info.height, at };
}

const isRed = ([r = 0, g = 0, b = 0]: number[]) => r > 190 && g < 60 && b < 60;
/** The ground of thumbnails. */
const isGrey = (pixel: number[]) => pixel.every((value) => value > 160 && value < 185);

describe('the size of an SVG', () => {
  it.each([
    ['width="200" height="100"', 200, 100],
    ["width='200px' height = '1in'", 200, 96],
    ['width="10mm" height="1e1pt"', 38, 13],
    ['viewBox="0 0 640 480"', 640, 480],
    ['viewBox="-5,-5,10 20" width="100%" height="auto"', 10, 20],
    ['viewBox="0 0 640 480" width="320"', 320, 240],
    ['viewBox="0 0 640 480" height="48"', 64, 48],
    ['viewBox="0 0 640" width="50"', 50, 150],
    ['viewBox="0 0 0 7"', 300, 150],
    ['width="0.2" height="7"', 1, 7],
    ['data-note="a > b" width="3" height="4"', 3, 4],
    ['', 300, 150],
  ])('matches that of browsers: %s', (attributes, width, height) => {
    expect(readSvgHeader(svg('', attributes).toString())).toEqual({ width, height });
  });

  it.each(['width="0" height="5"', 'width="-4" height="5"'])('must be positive: %s', (attributes) => {
    expect(() => readSvgHeader(svg('', attributes).toString())).toThrow(DamagedImageError);
  });
});

describe('the beginning of an SVG', () => {
  const root = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
  it.each([
    ['a byte order mark', `\ufeff${root}`],
    ['a declaration and comments', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- by <!DOCTYPE x [ hand -->\n${root}`],
    [
      'a document type of the standard',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${root}`,
    ],
    ['a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="4" height="4"/>'],
  ])('may have %s', async (_, text) => {
    expect(await accepted(Buffer.from(text))).toEqual({ width: 4, height: 4 });
  });

  it.each([
    ['the billion laughs', BILLION_LAUGHS],
    ['an entity from a file', Buffer.from(`<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>${root}`)],
    ['an internal subset after an external one', Buffer.from(`<!DOCTYPE svg SYSTEM "a[b]>c" [<!ENTITY e "">]>${root}`)],
    ['another root', Buffer.from(`<html>${root}</html>`)],
    ['another root behind a comment', Buffer.from(`<!-- <svg --><html>${root}</html>`)],
    ['UTF-16', Buffer.from(`\ufeff${root}`, 'utf16le')],
    ['Latin-1', Buffer.from(root.replace('/>', '><!-- é --></svg>'), 'latin1')],
    ['a declaration of another encoding', Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${root}`)],
    ['no namespace', Buffer.from('<svg width="4" height="4"/>')],
    ['a missing end tag', Buffer.from(root.replace('/>', '><g>'))],
    ['something after its end', Buffer.from(`${root}<p/>`)],
    ['compression', gzipSync(root)],
    ['nothing', Buffer.alloc(0)],
  ])('is reported as damaged with %s', async (_, file) => {
    await expect(accepted(file)).rejects.toThrow(DamagedImageError);
  });

  it('is read in linear time', () => {
    const before = process.cpuUsage();
    for (const [start, often] of [
      ['', ' '],
      ['<!--', '-'],
      ['<!DOCTYPE svg', ' '],
      ['<!DOCTYPE', ' '],
      ['<!DOCTYPE svg ', '"" '],
      ['<!DOCTYPE svg "', "' "],
      ['<?xml encoding', ' '],
      ['<!DOCTYPE svg "', 'a'],
      ['<svg', ' a="b"'],
      ['<svg a', ' '],
      ['', '<!---->'],
    ] as const) {
      const text = start + often.repeat(MAX_SVG_BYTES / often.length);
      expect(() => {
        readSvgHeader(text);
        throw new DamagedImageError(); // a default size is fine, too: only the time counts here
      }).toThrow(DamagedImageError);
    }
    expect(cpuSince(before)).toBeLessThan(5_000);
  });
});

describe('a drawing', () => {
  it('has a thumbnail with its aspect ratio, on grey', async () => {
    const { width, height, at } = await thumbnail(svg(undefined, 'width="2000" height="1000" viewBox="0 0 200 100"'), 120);
    expect([width, height]).toEqual([120, 60]);
    expect([isRed(at(20, 30)), isGrey(at(100, 30))]).toEqual([true, true]);
  });

  it('keeps its size when it is smaller', async () => {
    expect(await thumbnail(svg(undefined, 'width="24" height="48"'), 120)).toMatchObject({ width: 24, height: 48 });
  });

  it('as thin as a line has a thumbnail, too', async () => {
    expect(await thumbnail(svg('<rect width="30000" height="2"/>', 'width="30000" height="2"'), 400)).toMatchObject({
      width: 400,
      height: 1,
    });
  });

  it('may contain embedded pictures', async () => {
    const data = (
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#d02020' } })
        .png()
        .toBuffer()
    ).toString('base64');
    const { at } = await thumbnail(
      svg(`<image width="200" height="100" preserveAspectRatio="none" href="data:image/png;base64,${data}"/>`),
      200,
    );
    expect(isRed(at(100, 50))).toBe(true);
  });

  it('loads no external resources', async () => {
    await using web = await startWebServer((_, response) => response.end());
    const secret = await stored(svg('<rect width="200" height="100"/>'));
    const outside = [`${web.url}/a.png`, pathToFileURL(secret).href, secret].map(
      (href) => `<image width="200" height="100" href="${href}"/>`,
    );
    const style = `<?xml-stylesheet href="${web.url}/b.css"?>`;
    const uses = `<use href="${web.url}/c.svg#x"/><style>@import url(${web.url}/d.css); rect { fill: url(${web.url}/e.svg#f) }</style>`;
    const { at } = await thumbnail(Buffer.from(style + svg(outside.join('') + uses)), 200);
    expect(isGrey(at(100, 50))).toBe(true);
    expect(web.requests).toEqual([]);
  });

  it('is drawn without its scripts and foreign objects', async () => {
    const page =
      '<foreignObject width="200" height="100"><body xmlns="http://www.w3.org/1999/xhtml" style="background:black">x</body></foreignObject>';
    const { at } = await thumbnail(svg(`<script>for (;;);</script>${page}<rect width="100" height="100" fill="#d02020"/>`), 200);
    expect([isRed(at(50, 50)), isGrey(at(150, 50))]).toEqual([true, true]);
  });

  it('of 20 000 elements is drawn', async () => {
    expect(await accepted(svg('<rect x="3" width="9" height="9"/>'.repeat(20_000)))).toEqual({ width: 200, height: 100 });
  });
});

describe('a bomb', () => {
  it.each([
    ['a huge view box', svg('', 'viewBox="0 0 1e9 1e9"')],
    ['a huge width', svg('', 'width="1e300" height="1e300"')],
    ['a side of 30 001 pixels', svg('', 'width="30001" height="1"')],
    ['too many pixels', svg('', 'width="20000" height="20000"')],
    ['too many bytes', svg(' '.repeat(MAX_SVG_BYTES))],
  ])('of %s is rejected before drawing', async (_, file) => {
    await expect(accepted(file, forbidden)).rejects.toThrow(ImageTooLargeError);
  });

  it.each([
    ['references that unfold', svg(usesOfUses(30))],
    [
      'a reference to itself',
      svg(
        '<g id="a"><use href="#a"/></g><pattern id="p" width="9" height="9"><rect fill="url(#p)" width="9" height="9"/></pattern><rect fill="url(#p)" width="9" height="9"/>',
      ),
    ],
    ['deep nesting', svg('<g opacity="0.9">'.repeat(50_000) + '</g>'.repeat(50_000))],
    ['content far away', svg('<rect width="1e9" height="1e9"/>', '')],
    [
      'a picture of 400 megapixels',
      svg(`<image width="9" height="9" href="data:image/png;base64,${blackPng(20_000, 20_000).toString('base64')}"/>`),
    ],
    [
      'stacked filters',
      svg(
        `<filter id="f">${'<feTurbulence baseFrequency="0.9" numOctaves="99999"/><feGaussianBlur stdDeviation="500"/>'.repeat(500)}</filter><rect filter="url(#f)" width="200" height="100"/>`,
      ),
    ],
  ])('of %s is drawn or rejected, and doesn’t run forever', async (_, file) => {
    const outcome = await decoders.run('drawing', { side: 256 }, 1, { input: { path: '', bytes: file } }).then(
      () => true,
      (error: unknown) => error instanceof DamagedImageError || error instanceof ImageTooLargeError,
    );
    expect(outcome).toBe(true);
  });
});

it('keeps a WebAssembly program from growing its memory over the limit', async () => {
  // (memory 1) (func (export "g") (result i32) (memory.grow (i32.const 3)))
  const program = Buffer.from('0061736d010000000105016000017f030201000503010001070501016700000a08010600410340000b', 'hex');
  const grow = async (pages: number) => {
    const { instance } = await WebAssembly.instantiate(withMemoryLimit(program, pages));
    return (instance.exports as { g: () => number }).g();
  };
  expect([await grow(3), await grow(4), await grow(8_192)]).toEqual([-1, 1, 1]);
});
