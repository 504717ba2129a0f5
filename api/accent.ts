/**
 * What a site's accent colour becomes: shades that are readable in both themes, whatever colour was chosen. Lightness is changed in Oklab, where it keeps the
 * hue (https://bottosson.github.io/posts/oklab), and contrast is that of WCAG 2.2.
 */

/** `#rrggbb` in lower case. */
export const COLOR = /^#[0-9a-f]{6}$/;

/** WCAG AA for text. */
export const MIN_CONTRAST = 4.5;
/** The same for the shape of a button. */
const MIN_EDGE_CONTRAST = 3;

/** An accent colour in one theme. */
export interface ThemeAccent {
  /** Behind white text: buttons. */
  fill: string;
  /** Links and selected items, on the page and on `soft`. */
  text: string;
  /** Behind selected items. */
  soft: string;
}

export interface Accent {
  light: ThemeAccent;
  dark: ThemeAccent;
  /** From light to dark, as the component library numbers them. */
  shades: readonly string[];
}

/** The backgrounds of the themes (renderer/theme/theme.ts) on which text is hardest to read. */
const LIGHT_GROUND = '#eef2f2';
const DARK_GROUND = '#1d2628';
const WHITE = '#ffffff';
const SOFT_ALPHA = 0.18;

/** Of the lightest shades: lightness, and the share of the colour's own chroma. */
const TINTS = [
  [0.968, 0.16],
  [0.928, 0.3],
  [0.85, 0.6],
] as const;
const MAX_TINT_CHROMA = 0.09;
const STEP = 0.005;

type Triple = readonly [number, number, number];

/** @param color {@link COLOR} */
export function deriveAccent(color: string): Accent {
  const [lightness, a, b] = toOklab(color);
  const chroma = Math.hypot(a, b);
  const at = (level: number, most = chroma) => fromOklab(clamp(level), [a, b], chroma === 0 ? 0 : Math.min(1, most / chroma));
  /** The first shade that fits, from a lightness on. */
  const find = (from: number, step: number, fits: (shade: string) => boolean) => {
    const end = step > 0 ? 1 : 0;
    let level = clamp(from);
    while (!fits(at(level)) && level !== end) level = clamp(level + step);
    return level;
  };

  const tints = TINTS.map(([level, share]) => at(level, Math.min(chroma * share, MAX_TINT_CHROMA)));
  const [softest = WHITE] = tints;
  const lightLevel = find(lightness, -STEP, (shade) => isReadable(shade, LIGHT_GROUND) && isReadable(shade, softest));
  const visible = find(lightness, STEP, (shade) => contrastOf(shade, DARK_GROUND) >= MIN_EDGE_CONTRAST);
  const darkFillLevel = find(visible, -STEP, (shade) => isReadable(shade, WHITE));
  const middle = at(0.62);
  const softDark = mix(middle, DARK_GROUND, SOFT_ALPHA);
  const darkLevel = find(Math.max(lightness, 0.72), STEP, (shade) => isReadable(shade, softDark) && isReadable(shade, DARK_GROUND));
  const darker = lightLevel < 0.2 ? lightLevel + 0.14 : lightLevel - 0.07;
  const shades = [
    ...tints,
    at(darkLevel),
    at(find(0.68, STEP, (shade) => isReadable(shade, DARK_GROUND))),
    middle,
    at(darkFillLevel),
    at(lightLevel),
    at(darker),
    at(Math.min(lightLevel, 0.36)),
  ];
  return {
    light: { fill: at(lightLevel), text: at(lightLevel), soft: softest },
    dark: { fill: at(darkFillLevel), text: at(darkLevel), soft: softDark },
    shades,
  };
}

/** The rules that put an accent colour in the place of the default one, which has a name of its own in the theme. More specific than the theme's. */
export function accentCss(color: string): string {
  const { light, dark, shades } = deriveAccent(color);
  const of = (shade: string, alpha: number) => `rgb(${toBytes(shade).join(' ')} / ${alpha}%)`;
  const middle = shades[5] as string;
  const rule = (selector: string, values: Record<string, string>) =>
    `html:root${selector}{${Object.entries(values)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')}}`;
  return [
    rule('', Object.fromEntries(shades.map((shade, index) => [`mantine-color-petrol-${index}`, shade]))),
    rule('[data-mantine-color-scheme="light"]', {
      'mantine-color-anchor': light.text,
      'mantine-color-petrol-outline-hover': of(light.text, 5),
      'pd-accent': light.text,
      'pd-accent-soft': light.soft,
      'pd-hover': of(light.text, 6),
    }),
    rule('[data-mantine-color-scheme="dark"]', {
      'mantine-color-anchor': dark.text,
      'mantine-color-petrol-filled-hover': `color-mix(in oklab, ${dark.fill}, black 15%)`,
      'mantine-color-petrol-light': of(middle, 28),
      'mantine-color-petrol-light-hover': of(middle, 36),
      'mantine-color-petrol-outline-hover': of(dark.text, 5),
      'pd-accent': dark.text,
      'pd-accent-soft': of(middle, SOFT_ALPHA * 100),
      'pd-hover': of(dark.text, 8),
    }),
  ].join('');
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [lower = 0, higher = 0] = [luminanceOf(toBytes(one)), luminanceOf(toBytes(other))].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

const isReadable = (one: string, other: string) => contrastOf(one, other) >= MIN_CONTRAST;

function luminanceOf(bytes: Triple): number {
  const [r, g, b] = toLinear(bytes);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

function toBytes(color: string): Triple {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const toHex = (bytes: Triple) => `#${bytes.map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('')}`;

/** What a translucent colour looks like on another. */
function mix(color: string, ground: string, alpha: number): string {
  const [over, under] = [toBytes(color), toBytes(ground)];
  return toHex([0, 1, 2].map((at) => (over[at] as number) * alpha + (under[at] as number) * (1 - alpha)) as unknown as Triple);
}

const map = (triple: Triple, change: (value: number) => number): Triple => [change(triple[0]), change(triple[1]), change(triple[2])];
const toLinear = (bytes: Triple) =>
  map(bytes, (byte) => (byte <= 0.04045 * 255 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
const toGamma = (linear: Triple) => map(linear, (value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));

function toOklab(color: string): Triple {
  const [r, g, b] = toLinear(toBytes(color));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The colour with as much of a chroma as screens show at that lightness. */
function fromOklab(lightness: number, [a, b]: readonly [number, number], share: number): string {
  for (let left = share; ; left *= 0.96) {
    const linear = linearOf([lightness, a * left, b * left]);
    if (left < 0.01 || linear.every((value) => value >= -0.0005 && value <= 1.0005)) return toHex(toGamma(map(linear, clamp)));
  }
}

function linearOf([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
