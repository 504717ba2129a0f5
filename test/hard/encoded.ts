import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { bundledProfile } from '#test/helpers/pictures/icc.ts';
import { image } from '#test/helpers/pictures/images.ts';

/** Programs, and the Debian packages that have them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  cjpeg: 'libjpeg-turbo-progs',
  convert: 'imagemagick',
  cwebp: 'webp',
  ffmpeg: 'ffmpeg',
  'heif-enc': 'libheif-examples',
  avifenc: 'libavif-bin',
};

/** The packages that are missing on this computer. */
export const missingPackages = Object.entries(PROGRAMS).flatMap(([program, name]) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error ? [name] : [],
);

/** A picture that a program is asked to make. */
export interface Recipe {
  readonly name: string;
  readonly ext: 'jpg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic' | 'bmp' | 'tiff';
  /** Commands, separated by `&&`, of words in which `{name}` stands for a file in the folder. The last one writes `{out}`. */
  readonly commands: string;
  /** What it is made of. */
  readonly source: Source;
}

const SIZE = { width: 211, height: 139, smooth: true };
const EVEN = { width: 208, height: 144, smooth: true };

const SOURCES = {
  /** In colour, opaque, with sides of odd length. */
  'colour.png': () => image(SIZE).png(),
  'even.png': () => image(EVEN).png(),
  'grey.png': () => image(SIZE).greyscale().png(),
  'alpha.png': () => image({ ...SIZE, alpha: true }).png(),
  'deep.png': () => image(SIZE).toColourspace('rgb16').png(),
  'deep-alpha.png': () =>
    image({ ...SIZE, alpha: true })
      .toColourspace('rgb16')
      .png(),
  'p3.png': () => image(SIZE).withIccProfile('p3').png(),
  'deep-p3.png': () => image(SIZE).toColourspace('rgb16').withIccProfile('p3').png(),
  'next.png': () => image({ ...SIZE, seed: 5 }).png(),
  'exif.jpg': () =>
    image(SIZE)
      .jpeg({ quality: 95 })
      .withExif({ IFD0: { Orientation: '1' } }),
};
export type Source = keyof typeof SOURCES;

/** Writes the sources into a folder, with an EXIF for each orientation, and a profile. */
export async function writeSources(folder: string): Promise<void> {
  for (const [name, make] of Object.entries(SOURCES)) writeFileSync(join(folder, name), await make().toBuffer());
  for (const name of ['colour', 'grey']) spawnSync('convert', [join(folder, `${name}.png`), join(folder, `${name}.pnm`)]);
  writeFileSync(join(folder, 'p3.icc'), await bundledProfile('p3'));
  for (const orientation of ORIENTATIONS) {
    const jpeg = await image({ width: 8, height: 8 }).jpeg().withMetadata({ orientation }).toBuffer();
    const { exif } = await sharp(jpeg).metadata();
    writeFileSync(join(folder, `${orientation}.exif`), exif?.subarray(6) ?? '');
  }
}

/** Makes a picture. @returns the reason where a program refuses */
export function make(folder: string, { commands, ext }: Recipe): Buffer | string {
  writeFileSync(join(folder, `out.${ext}`), '');
  for (const command of commands.split(' && ')) {
    const words = command
      .split(' ')
      .map((word) => word.replace(/\{([\w.-]+)\}/, (_, name: string) => join(folder, name === 'out' ? `out.${ext}` : name)));
    const { status, stderr, error } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' });
    if (status !== 0) return error?.message ?? `${words[0]} ended with ${status}: ${stderr.trim().split('\n').at(-1)}`;
  }
  const file = readFileSync(join(folder, `out.${ext}`));
  return file.length > 0 ? file : 'nothing was written';
}

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];
const FFMPEG = 'ffmpeg -v error -y';

/** One recipe for each of several variants of a command. */
const each = (ext: Recipe['ext'], source: Source, variants: readonly string[], command: (variant: string) => string): Recipe[] =>
  variants.map((variant) => {
    const commands = command(variant).replace(/ +/g, ' ');
    return {
      ext,
      source,
      commands,
      name: `${ext}: ${commands.replaceAll('ffmpeg -v error -y', 'ffmpeg').replace(/ (-o|-outfile)? ?\{out\}/, '')}`,
    };
  });

/** All pictures, by container: subsamplings, depths, profiles, orientations, animations, transparency, and what else each program offers. */
export const RECIPES: readonly Recipe[] = [
  ...each(
    'jpg',
    'colour.png',
    ['1x1', '2x1', '1x2', '2x2', '4x1', '1x4', '4x2'],
    (sample) => `cjpeg -quality 92 -sample ${sample} -outfile {out} {colour.pnm}`,
  ),
  ...each(
    'jpg',
    'colour.png',
    ['1x1', '2x1', '2x2', '1x2'],
    (sample) => `cjpeg -quality 92 -progressive -sample ${sample} -outfile {out} {colour.pnm}`,
  ),
  ...each(
    'jpg',
    'colour.png',
    [
      '-quality 10',
      '-quality 50',
      '-quality 100',
      '-rgb',
      '-optimize',
      '-restart 1',
      '-restart 3B',
      '-dct float',
      '-dct fast',
      '-baseline',
      '-grayscale',
      '-smooth 20',
      '-icc {p3.icc}',
      '-arithmetic',
    ],
    (option) => `cjpeg ${option} -outfile {out} {colour.pnm}`,
  ),
  ...each('jpg', 'grey.png', ['', '-progressive'], (option) => `cjpeg -quality 92 ${option} -outfile {out} {grey.pnm}`),
  ...each(
    'jpg',
    'exif.jpg',
    [
      '-flip horizontal',
      '-flip vertical',
      '-transpose',
      '-transverse',
      '-rotate 90',
      '-rotate 180',
      '-rotate 270',
      '-crop 64x48+16+16',
      '-progressive',
      '-grayscale',
      '-arithmetic',
      '-copy all -rotate 90',
    ],
    (option) => `jpegtran ${option} -outfile {out} {exif.jpg}`,
  ),
  ...each('jpg', 'exif.jpg', ORIENTATIONS.map(String), (orientation) => `cp {exif.jpg} {out} && jpegexiforient -${orientation} {out}`),
  ...each(
    'jpg',
    'colour.png',
    [
      '-colorspace CMYK',
      '-colorspace Gray',
      '-colorspace RGB',
      '-interlace Plane',
      '-sampling-factor 4:1:1',
      '-define jpeg:arithmetic-coding=true',
      '-profile {p3.icc}',
      '-colorspace CMYK -interlace Plane',
      '-type TrueColor -depth 8',
    ],
    (option) => `convert {colour.png} ${option} -quality 92 {out}`,
  ),
  ...each('jpg', 'p3.png', ['92'], (quality) => `convert {p3.png} -quality ${quality} {out}`),
  ...each(
    'jpg',
    'even.png',
    ['yuvj420p', 'yuvj422p', 'yuvj444p', 'yuvj440p', 'gray'],
    (format) => `${FFMPEG} -i {even.png} -pix_fmt ${format} -q:v 2 {out}`,
  ),

  ...each(
    'png',
    'colour.png',
    [
      '',
      '-interlace PNG',
      '-depth 16',
      '-colors 200',
      '-colors 16',
      '-colors 2',
      '-define png:color-type=2',
      '-define png:color-type=6',
      '-colorspace Gray',
      '-colorspace Gray -depth 16',
      '-colorspace Gray -colors 4',
      '-monochrome',
      '-colorspace RGB',
      '-profile {p3.icc}',
      '-gamma 0.45',
      '-colors 16 -interlace PNG',
      '-orient RightTop',
      '-bordercolor none -border 9',
      '-depth 16 -interlace PNG',
    ],
    (option) => `convert {colour.png} ${option} {out}`,
  ),
  ...each(
    'png',
    'alpha.png',
    [
      '',
      '-interlace PNG',
      '-depth 16',
      '-colors 100',
      '-colorspace Gray',
      '-colorspace Gray -depth 16',
      '-channel A -threshold 50% +channel',
    ],
    (option) => `convert {alpha.png} ${option} {out}`,
  ),
  ...each('png', 'deep-p3.png', ['', '-colorspace Gray', '-interlace PNG'], (option) => `convert {deep-p3.png} ${option} {out}`),
  ...each(
    'png',
    'colour.png',
    ['rgb24', 'rgba', 'rgb48be', 'rgba64be', 'gray', 'gray16be', 'ya8', 'ya16be', 'pal8', 'monob'],
    (format) => `${FFMPEG} -i {colour.png} -pix_fmt ${format} {out}`,
  ),
  ...each(
    'png',
    'colour.png',
    ['-plays 0', '-plays 3'],
    (option) =>
      `${FFMPEG} -framerate 2 -i {colour.png} -framerate 2 -i {next.png} -filter_complex [0][1]concat=n=2 ${option} -f apng {out}`,
  ),
  ...each(
    'png',
    'alpha.png',
    ['rgba', 'ya8'],
    (format) => `${FFMPEG} -loop 1 -framerate 2 -t 2 -i {alpha.png} -pix_fmt ${format} -plays 0 -f apng {out}`,
  ),

  ...each(
    'gif',
    'colour.png',
    ['', '-interlace GIF', '-colors 16', '-colors 2', '-dither None', '-monochrome'],
    (option) => `convert {colour.png} ${option} {out}`,
  ),
  ...each('gif', 'alpha.png', ['', '-channel A -threshold 50% +channel'], (option) => `convert {alpha.png} ${option} {out}`),
  ...each(
    'gif',
    'colour.png',
    ['', '-layers Optimize', '-layers OptimizeFrame', '-loop 0', '-dispose Background', '-dispose Previous', '-repage 300x200+20+20'],
    (option) => `convert -delay 50 {colour.png} {next.png} ${option} {out}`,
  ),
  ...each(
    'gif',
    'colour.png',
    ['', '-gifflags -offsetting', '-gifflags -transdiff'],
    (option) => `${FFMPEG} -framerate 2 -i {colour.png} -framerate 2 -i {next.png} -filter_complex [0][1]concat=n=2 ${option} {out}`,
  ),

  ...each(
    'webp',
    'colour.png',
    [
      '-q 92',
      '-q 10',
      '-q 100',
      '-lossless',
      '-near_lossless 40',
      '-sharp_yuv -q 92',
      '-m 0 -q 92',
      '-m 6 -q 92',
      '-segments 1 -q 92',
      '-sns 100 -q 92',
      '-f 100 -q 92',
      '-pre 2 -q 92',
      '-hint photo -lossless',
      '-size 3000',
      '-crop 10 10 101 77 -q 92',
      '-resize 100 0 -q 92',
      '-partition_limit 50 -q 92',
      '-jpeg_like -q 92',
    ],
    (option) => `cwebp -quiet ${option} {colour.png} -o {out}`,
  ),
  ...each(
    'webp',
    'alpha.png',
    [
      '-q 92',
      '-lossless',
      '-alpha_q 30 -q 92',
      '-alpha_method 0 -q 92',
      '-exact -lossless',
      '-blend_alpha 0x00ff00 -q 92',
      '-noalpha -q 92',
    ],
    (option) => `cwebp -quiet ${option} {alpha.png} -o {out}`,
  ),
  ...each('webp', 'p3.png', ['-q 95', '-lossless'], (option) => `cwebp -quiet -metadata icc ${option} {p3.png} -o {out}`),
  ...each('webp', 'grey.png', ['-q 92', '-lossless'], (option) => `cwebp -quiet ${option} {grey.png} -o {out}`),
  ...each(
    'webp',
    'colour.png',
    ['', '-lossy', '-mixed', '-min_size', '-lossy -kmax 0'],
    (option) => `convert -delay 50 {colour.png} {next.png} {first.gif} && gif2webp -quiet ${option} {first.gif} -o {out}`,
  ),
  ...each(
    'webp',
    'colour.png',
    ['-lossless', '-lossy -q 90', '-mixed'],
    (option) => `img2webp -d 500 ${option} {colour.png} {next.png} -o {out}`,
  ),
  ...each('webp', 'alpha.png', ['-lossless', '-lossy'], (option) => `img2webp -d 500 ${option} {alpha.png} {alpha.png} -o {out}`),
  ...each(
    'webp',
    'colour.png',
    ['1', '3', '6', '8'],
    (orientation) => `cwebp -quiet -q 92 {colour.png} -o {first.webp} && webpmux -set exif {${orientation}.exif} {first.webp} -o {out}`,
  ),
  ...each('webp', 'colour.png', ['-q:v 90', '-lossless 1'], (option) => `${FFMPEG} -i {colour.png} ${option} {out}`),

  ...each(
    'avif',
    'colour.png',
    ['444', '422', '420'].flatMap((yuv) => [8, 10, 12].map((depth) => `-y ${yuv} -d ${depth}`)),
    (option) => `avifenc -s 8 --min 5 --max 15 ${option} {colour.png} {out}`,
  ),
  ...each(
    'avif',
    'colour.png',
    ['-y 444', '-y 420', '-y 400', '-y 420 -d 10', '-y 400 -d 10'],
    (option) => `avifenc -s 8 --min 5 --max 15 -r limited ${option} {colour.png} {out}`,
  ),
  ...each(
    'avif',
    'colour.png',
    ['1/13/1', '1/13/0', '1/13/8', '9/16/9', '9/18/9', '9/1/9', '12/13/6', '1/8/1', '5/4/5', '2/2/2', '11/17/1'],
    (cicp) => `avifenc -s 8 -d 10 -y 444 --min 5 --max 15 --cicp ${cicp} {colour.png} {out}`,
  ),
  ...each(
    'avif',
    'colour.png',
    ['9/16/9', '9/18/9'],
    (cicp) => `avifenc -s 8 -d 10 -y 420 -r limited --min 5 --max 15 --cicp ${cicp} {colour.png} {out}`,
  ),
  ...each(
    'avif',
    'colour.png',
    ['--irot 1', '--irot 2', '--irot 3', '--imir 0', '--imir 1', '--irot 1 --imir 1', '--crop 10,10,100,80'],
    (option) => `avifenc -s 8 -y 444 --min 5 --max 15 ${option} {colour.png} {out}`,
  ),
  ...each(
    'avif',
    'alpha.png',
    ['', '-d 10', '-y 420', '--premultiply', '-l'],
    (option) => `avifenc -s 8 --min 5 --max 15 ${option} {alpha.png} {out}`,
  ),
  ...each('avif', 'p3.png', ['-d 8', '-d 10', '-d 12'], (option) => `avifenc -s 8 --min 5 --max 15 ${option} {p3.png} {out}`),
  ...each('avif', 'grey.png', ['-y 400', '-y 444'], (option) => `avifenc -s 8 --min 5 --max 15 ${option} {grey.png} {out}`),
  ...each('avif', 'even.png', ['-g 2x1', '-g 1x2'], (option) => `avifenc -s 8 --min 5 --max 15 ${option} {even.png} {even.png} {out}`),
  ...each('avif', 'even.png', ['-c svt', '-c rav1e'], (option) => `avifenc -s 8 --min 5 --max 15 -y 420 ${option} {even.png} {out}`),
  ...each('avif', 'colour.png', [''], () => 'avifenc -s 8 --min 5 --max 15 {colour.png} {next.png} {out}'),
  ...each(
    'avif',
    'colour.png',
    ['', '-b 10', '-L -p chroma=444', '-p chroma=422', '--matrix_coefficients=1', '--full_range_flag=0', '-t 64'],
    (option) => `heif-enc -A -q 90 ${option} {colour.png} -o {out}`,
  ),
  ...each(
    'avif',
    'even.png',
    ['yuv420p', 'yuv444p', 'yuv420p10le', 'gray'],
    (format) => `${FFMPEG} -i {even.png} -c:v libaom-av1 -cpu-used 8 -crf 10 -still-picture 1 -pix_fmt ${format} {out}`,
  ),

  ...each(
    'heic',
    'colour.png',
    [
      '',
      '-L',
      '-p chroma=444',
      '-p chroma=422',
      '-t 64',
      '--matrix_coefficients=1',
      '--full_range_flag=0',
      '--full_range_flag=0 --matrix_coefficients=9',
      '-q 40',
    ],
    (option) => `heif-enc -q 90 ${option} {colour.png} -o {out}`,
  ),
  ...each(
    'heic',
    'deep.png',
    ['-b 10', '-b 12', '-b 10 -p chroma=444', '-b 10 --full_range_flag=0'],
    (option) => `heif-enc -q 90 ${option} {deep.png} -o {out}`,
  ),
  ...each(
    'heic',
    'alpha.png',
    ['', '-L', '--premultiplied-alpha', '--no-alpha', '-t 64'],
    (option) => `heif-enc -q 90 ${option} {alpha.png} -o {out}`,
  ),
  ...each('heic', 'deep-alpha.png', ['-b 10'], (option) => `heif-enc -q 90 ${option} {deep-alpha.png} -o {out}`),
  ...each('heic', 'p3.png', ['', '--enable-two-colr-boxes'], (option) => `heif-enc -q 90 ${option} {p3.png} -o {out}`),
  ...each('heic', 'grey.png', ['', '--full_range_flag=0'], (option) => `heif-enc -q 90 ${option} {grey.png} -o {out}`),
  ...each(
    'heic',
    'exif.jpg',
    ['1', '6', '8'],
    (orientation) => `cp {exif.jpg} {first.jpg} && jpegexiforient -${orientation} {first.jpg} && heif-enc -q 90 {first.jpg} -o {out}`,
  ),

  ...each(
    'bmp',
    'colour.png',
    [
      '',
      '-type Palette',
      '-colors 16',
      '-monochrome',
      '-colors 200 -compress RLE',
      '-define bmp:format=bmp3',
      '-define bmp:format=bmp2',
      '-define bmp:subtype=RGB565',
      '-define bmp:subtype=RGB555',
      '-profile {p3.icc}',
    ],
    (option) => `convert {colour.png} ${option} {out}`,
  ),
  ...each('bmp', 'alpha.png', ['', '-define bmp:format=bmp4'], (option) => `convert {alpha.png} ${option} {out}`),
  ...each(
    'bmp',
    'even.png',
    ['bgr24', 'bgra', 'rgb565le', 'rgb555le', 'gray', 'pal8', 'monob'],
    (format) => `${FFMPEG} -i {even.png} -pix_fmt ${format} {out}`,
  ),

  ...each(
    'tiff',
    'colour.png',
    [
      '-compress None',
      '-compress LZW',
      '-compress Zip',
      '-compress JPEG',
      '-compress RLE',
      '-depth 16',
      '-define quantum:format=floating-point -depth 32',
      '-colorspace CMYK',
      '-colorspace Gray',
      '-colors 100',
      '-monochrome -compress Group4',
      '-define tiff:tile-geometry=64x64',
      '-define tiff:endian=msb',
      '-interlace Plane',
      '-profile {p3.icc}',
      '-depth 16 -profile {p3.icc}',
      '-colorspace Lab',
    ],
    (option) => `convert {colour.png} ${option} {out}`,
  ),
  ...each(
    'tiff',
    'colour.png',
    ['TopRight', 'BottomRight', 'LeftTop', 'RightTop', 'LeftBottom'],
    (orientation) => `convert {colour.png} -orient ${orientation} {out}`,
  ),
  ...each(
    'tiff',
    'alpha.png',
    ['', '-depth 16', '-define tiff:alpha=associated', '-define tiff:alpha=unassociated'],
    (option) => `convert {alpha.png} ${option} {out}`,
  ),
  ...each('tiff', 'deep-p3.png', ['', '-colorspace Gray'], (option) => `convert {deep-p3.png} ${option} {out}`),
  ...each('tiff', 'colour.png', [''], () => 'convert {colour.png} {next.png} {out}'),
];
