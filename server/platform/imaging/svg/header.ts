import { DamagedImageError } from '../errors.ts';
import type { Size } from '../types.ts';

/** The size that browsers assume where an SVG declares none. */
const DEFAULT_SIZE: Size = { width: 300, height: 150 };

/** Everything allowed before the root element, and the root's name. Each is tried at one position, where only one part of it matches: the time is linear. */
const DECLARATION = /<\?xml\s([^?]*)\?>/y;
const MISC = /\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/y;
const DOCTYPE = /<!DOCTYPE(?=\s)/iy;
/** One part at a time: a repeated group would remember each of a million, and overflow the stack. */
const DOCTYPE_PART = /"[^"]*"|'[^']*'|[^>["']+/y;
const ROOT = /<(?:[\w.-]+:)?svg(?=[\s/>])/y;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

/** No sensible size or view box is longer; the rest of an attribute is ignored. */
const MAX_ATTRIBUTE = 200;

/** The size of a drawing in CSS pixels, for a decoder: a header of 5 MB takes a while. @throws DamagedImageError */
export function readSvgSize(picture: Uint8Array): Size {
  return readSvgHeader(decode(picture));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DamagedImageError('The SVG isn’t in UTF-8. Save it as UTF-8 and try again.', { cause: error });
  }
}

/**
 * Checks that only comments, instructions and a plain document type precede the `svg` element, and reads its size in CSS
 * pixels from `width`, `height` and `viewBox`.
 *
 * @throws DamagedImageError also for entity declarations, which are dangerous
 */
export function readSvgHeader(text: string): Size {
  const attributes = rootAttributes(text, skipProlog(text));
  const view = viewBoxOf(attributes.get('viewBox'));
  const width = lengthOf(attributes.get('width'));
  const height = lengthOf(attributes.get('height'));
  const ratio = view && view.width / view.height;
  const size = {
    width: width ?? (height !== undefined && ratio ? height * ratio : (view?.width ?? DEFAULT_SIZE.width)),
    height: height ?? (width !== undefined && ratio ? width / ratio : (view?.height ?? DEFAULT_SIZE.height)),
  };
  if (!(size.width > 0 && size.height > 0)) throw new DamagedImageError('The SVG has no size. Give it a width and a height and try again.');
  return { width: Math.max(1, Math.round(size.width)), height: Math.max(1, Math.round(size.height)) };
}

/** Offset of the root element. */
function skipProlog(text: string): number {
  const declaration = matchAt(DECLARATION, text, 0);
  if (declaration) requireUtf8(declaration[1] ?? '');
  let at = declaration?.[0].length ?? 0;
  for (;;) {
    const misc = matchAt(MISC, text, at);
    const end = misc ? at + misc[0].length : skipDoctype(text, at);
    if (end === undefined) return at;
    at = end;
  }
}

/** Offset behind the document type at an offset, if there is one. */
function skipDoctype(text: string, from: number): number | undefined {
  const start = matchAt(DOCTYPE, text, from);
  if (!start) return undefined;
  let at = from + start[0].length;
  for (let part = matchAt(DOCTYPE_PART, text, at); part; part = matchAt(DOCTYPE_PART, text, at)) at += part[0].length;
  if (text[at] === '[') {
    throw new DamagedImageError(
      'The SVG declares entities in its document type, which isn’t supported. Save it as plain SVG and try again.',
    );
  }
  return text[at] === '>' ? at + 1 : undefined;
}

function requireUtf8(declaration: string): void {
  const encoding = /encoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii|ascii)$/i.test(encoding)) throw new DamagedImageError('The SVG isn’t in UTF-8. Save it as UTF-8 and try again.');
}

function rootAttributes(text: string, from: number): Map<string, string> {
  const root = matchAt(ROOT, text, from);
  if (!root) throw new DamagedImageError();
  const found = new Map<string, string>();
  let at = from + root[0].length;
  for (let next = matchAt(ATTRIBUTE, text, at); next; next = matchAt(ATTRIBUTE, text, at)) {
    const [whole, name = '', double, single] = next;
    found.set(name, (double ?? single ?? '').slice(0, MAX_ATTRIBUTE));
    at += whole.length;
  }
  return found;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** CSS pixels of the absolute units; units relative to the font assume 16 pixels. */
const PIXELS: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96, em: 16, rem: 16, ex: 8 };

/** Undefined when absent, `auto`, a percentage or not a length: then the view box decides. */
function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = 'px'] = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]+)?\s*$/i.exec(text ?? '') ?? [];
  const factor = PIXELS[unit.toLowerCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

function viewBoxOf(text: string | undefined): Size | undefined {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : undefined;
}
