import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { changePolicy } from '#api/admin/policies.ts';
import { getImage } from '#api/images/images.ts';
import { expect, test } from '#test/e2e/web.ts';
import { exifOf, TAG } from '#test/helpers/pictures/exif.ts';
import { jpegSegment, pngChunk, webpChunk } from '#test/helpers/pictures/private-metadata.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

// How a picture is turned, and how large it is, has one answer: Chromium's. A picture of four colours shows which one was given.

const SIZE = { width: 96, height: 64 };
const COLOURS = ['red', 'lime', 'blue', 'white'];
const [SHORT, LONG] = [3, 4];
const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];

const quarters = () => {
  const tiles = COLOURS.map((background, i) => ({
    input: { create: { width: 48, height: 32, channels: 3 as const, background } },
    left: 48 * (i % 2),
    top: 32 * (i >> 1),
  }));
  return sharp({ create: { ...SIZE, channels: 3, background: 'black' } }).composite(tiles);
};

interface Sample {
  readonly name: string;
  readonly type: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';
  readonly file: Buffer;
}

/** What EXIF can say about the orientation, in order and against the rules. */
const exifs = (): [name: string, exif: Buffer][] => [
  ...ORIENTATIONS.map((value): [string, Buffer] => [`${value}`, exifOf([[TAG.orientation, value]])]),
  ['0', exifOf([[TAG.orientation, 0]])],
  ['9', exifOf([[TAG.orientation, 9]])],
  ['6 as a long number', exifOf([[TAG.orientation, LONG, 1, 6]])],
  ['two numbers', exifOf([[TAG.orientation, SHORT, 2, 6]])],
  [
    '6, then 3',
    exifOf([
      [TAG.orientation, 6],
      [TAG.orientation, 3],
    ]),
  ],
  [
    '0, then 6',
    exifOf([
      [TAG.orientation, 0],
      [TAG.orientation, 6],
    ]),
  ],
  ['3, and 6 among the camera’s', exifOf([[TAG.orientation, 3]], [[TAG.orientation, 6]])],
  ['0, and 6 among the camera’s', exifOf([[TAG.orientation, 0]], [[TAG.orientation, 6]])],
  ['5 among the camera’s', exifOf([[TAG.changed, '2020:01:01 00:00:00']], [[TAG.orientation, 5]])],
  ...[2, 3, 5, 8].map((value): [string, Buffer] => [
    `7 as a long number, then ${value}`,
    exifOf([
      [TAG.orientation, LONG, 1, 7],
      [TAG.orientation, value],
    ]),
  ]),
  ['6 among the camera’s', exifOf([[TAG.changed, '2020:01:01 00:00:00']], [[TAG.orientation, 6]])],
];

const SIX = exifOf([[TAG.orientation, 6]]);
const THREE = exifOf([[TAG.orientation, 3]]);
const XMP = Buffer.from(
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>',
);

async function jpegs(): Promise<Sample[]> {
  const base = await quarters().jpeg({ quality: 95 }).toBuffer();
  const exif = (data: Buffer) => jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), data]));
  const named = (name: string, ...segments: Buffer[]): Sample => ({
    name: `JPEG: ${name}`,
    type: 'jpeg',
    file: Buffer.concat([base.subarray(0, 2), ...segments, base.subarray(2)]),
  });
  return [
    ...exifs().map(([name, data]) => named(name, exif(data))),
    named('3 in a second EXIF', exif(SIX), exif(THREE)),
    named('6 behind an EXIF without', exif(exifOf([[TAG.changed, '2020:01:01 00:00:00']])), exif(SIX)),
    named('6 in XMP', jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), XMP]))),
    { name: 'JPEG: 6 behind the pixels', type: 'jpeg', file: Buffer.concat([base.subarray(0, -2), exif(SIX), base.subarray(-2)]) },
  ];
}

async function pngs(): Promise<Sample[]> {
  const base = await quarters().png().toBuffer();
  const [data, end] = [base.indexOf('IDAT') - 4, base.indexOf('IEND') - 4];
  const named = (name: string, early: readonly Buffer[], late: readonly Buffer[] = []): Sample => ({
    name: `PNG: ${name}`,
    type: 'png',
    file: Buffer.concat([base.subarray(0, data), ...early, base.subarray(data, end), ...late, base.subarray(end)]),
  });
  const exif = (data: Buffer) => pngChunk('eXIf', data);
  const profile = `\nexif\n${SIX.length + 6}\n${Buffer.concat([Buffer.from('Exif\0\0'), SIX]).toString('hex')}\n`;
  return [
    ...exifs().map(([name, value]) => named(name, [exif(value)])),
    named('6 behind the pixels', [], [exif(SIX)]),
    named('3, and 6 behind the pixels', [exif(THREE)], [exif(SIX)]),
    named('6, then 3 in another chunk', [exif(SIX), exif(THREE)]),
    named('6 in a text of ImageMagick’s', [pngChunk('tEXt', Buffer.from(`Raw profile type exif\0${profile}`))]),
    named('6 in XMP', [pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), XMP]))]),
  ];
}

async function webps(): Promise<Sample[]> {
  const header = Buffer.from([0x08, 0, 0, 0, SIZE.width - 1, 0, 0, SIZE.height - 1, 0, 0]);
  const samples: Sample[] = [];
  for (const lossless of [false, true]) {
    const pixels = (await quarters().webp({ lossless, quality: 95 }).toBuffer()).subarray(12);
    for (const [name, value] of exifs()) {
      const chunks = [webpChunk('VP8X', header), pixels, webpChunk('EXIF', value)];
      const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), ...chunks]);
      file.writeUInt32LE(file.length - 8, 4);
      samples.push({ name: `WebP${lossless ? ' without loss' : ''}: ${name}`, type: 'webp', file });
    }
  }
  return samples;
}

/** The encoder writes the orientation as properties, with or without EXIF. */
async function avifs(): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const orientation of ORIENTATIONS) {
    const file = await quarters().withMetadata({ orientation }).avif({ quality: 90, effort: 0 }).toBuffer();
    samples.push({ name: `AVIF: ${orientation} in its properties`, type: 'avif', file });
    for (const other of [1, 3, 6]) {
      const at = file.indexOf(Buffer.from([0x12, 0x01, SHORT, 0, 1, 0, 0, 0]));
      if (at === -1) throw new Error('there is no orientation in the EXIF');
      const contradictory = Buffer.from(file);
      contradictory.writeUInt16LE(other, at + 8);
      samples.push({ name: `AVIF: ${orientation} in its properties, ${other} in EXIF`, type: 'avif', file: contradictory });
    }
  }
  return samples;
}

async function allSamples(): Promise<Sample[]> {
  const gif = await quarters().gif().toBuffer();
  const fixtures = ['orientation-twice.jpg', 'png-exif-after-idat.png', 'webp-exif-orientation-6.webp'].map(async (name) => ({
    name,
    type: (name.endsWith('jpg') ? 'jpeg' : name.slice(-4).replace('.', '')) as Sample['type'],
    file: await readFile(`test/fixtures/inputs/${name}`),
  }));
  return [
    ...(await jpegs()),
    ...(await pngs()),
    ...(await webps()),
    ...(await avifs()),
    { name: 'GIF', type: 'gif', file: gif },
    ...(await Promise.all(fixtures)),
  ];
}

/** Which colour is where, and the size. */
async function shown(page: Page, file: Buffer, type: string): Promise<string> {
  const { width, height, colours } = await page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const { naturalWidth, naturalHeight } = image;
      const canvas = new OffscreenCanvas(naturalWidth, naturalHeight);
      const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const places = [0.25, 0.75].flatMap((y) =>
        [0.25, 0.75].map((x) => [Math.round(x * naturalWidth), Math.round(y * naturalHeight)] as const),
      );
      const found = places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.subarray(0, 3)]);
      return { width: naturalWidth, height: naturalHeight, colours: found };
    },
    `data:${type};base64,${file.toString('base64')}`,
  );
  return `${width} × ${height}: ${colours.map((colour) => colour.map((value) => (value > 127 ? 1 : 0)).join('')).join(' ')}`;
}

const sizeIn = (text: string) => text.slice(0, text.indexOf(':'));

async function shownAt(page: Page, url: string): Promise<string> {
  const response = await fetch(url);
  return shown(page, Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? '');
}

interface Place {
  page: Page;
  service: TestService;
  owner: SignedIn;
  token: string;
}

/** What original, thumbnail, size and embed say of a sample, where that isn't what Chromium shows of it. */
async function contradictions({ page, service, owner, token }: Place, { name, type, file }: Sample, convert?: string): Promise<string[]> {
  const expected = await shown(page, file, `image/${type}`);
  const { key } = await uploadImage(service, token, file, convert ? { convert } : {}, `${name}.${type}`);
  const { links, width, height } = await owner.client.call(getImage, { params: { key } });
  const embed = (await (await fetch(`${service.url}/oembed?url=${encodeURIComponent(links.share_url)}`)).json()) as Record<string, number>;
  const answers = { original: await shownAt(page, links.url), thumbnail: await shownAt(page, `${links.thumbnail_url}?w=960`) };
  const sizes = { response: `${width} × ${height}`, oembed: `${embed.width} × ${embed.height}` };
  return [
    ...Object.entries(answers).filter(([, answer]) => answer !== expected),
    ...Object.entries(sizes).filter(([, size]) => size !== sizeIn(expected)),
  ].map(([what, answer]) => `${name}${convert ? ` as ${convert}` : ''}: ${what} is ${answer}, Chromium shows ${expected}`);
}

for (const policy of ['without metadata', 'as sent'] as const)
  test(`every picture is turned as Chromium turns it: ${policy}`, async ({ page, service, owner }) => {
    test.setTimeout(300_000);
    if (policy === 'as sent') await owner.client.call(changePolicy, { params: { id: '1' }, body: { keep_metadata: true } });
    const place = { page, service, owner, token: await owner.token('upload') };
    await page.goto('about:blank');
    const found: string[] = [];
    for (const sample of await allSamples()) {
      found.push(...(await contradictions(place, sample)));
      found.push(...(await contradictions(place, sample, sample.type === 'png' ? 'webp' : 'png')));
    }
    expect(found).toEqual([]);
  });
