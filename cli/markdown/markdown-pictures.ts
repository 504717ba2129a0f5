import { parse, postprocess, preprocess } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import type { Event, Token } from 'micromark-util-types';
import { htmlPictures } from './html-pictures.ts';
import { type Around, linksToShown, type PictureLink, shifted } from './picture-link.ts';
import { imageSyntax, readLooseImage, WIKI_EMBED } from './syntax.ts';

const BYTE_ORDER_MARK = '\ufeff';
const SYNTAX = { extensions: [gfm(), frontmatter(['yaml', 'toml']), imageSyntax] };

/**
 * The pictures in Markdown, in HTML within it, the definitions that its images refer to, and links around pictures that lead to the same one.
 * Code, comments and front matter have none.
 */
export function markdownPictures(text: string): PictureLink[] {
  // The parser leaves a byte order mark out of its offsets.
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  return shifted(withoutMark(text.slice(skipped)), skipped);
}

function withoutMark(text: string): PictureLink[] {
  const events = postprocess(
    parse(SYNTAX)
      .document()
      .write(preprocess()(text, 'utf8', true)),
  );
  return new Collector(text, events).links();
}

const markdownIn = (text: string, offset: number) => shifted(withoutMark(text), offset);

/** An image, link or definition whose parts are being read. */
interface Part {
  token: Token;
  hasResource: boolean;
  destination?: Token;
  reference?: Token;
  label?: Token;
  /** What is shown in it, if it is a link. */
  shown: Shown[];
}

/** A picture by its target, or by the name of its definition. */
type Shown = { target: string } | { identifier: string };

/** A link around pictures, or the name of its definition. */
interface Wrapping {
  link: PictureLink | undefined;
  identifier: string;
  shown: Shown[];
}

/** Finds the pictures in one pass over the parser's events. */
class Collector {
  readonly #text: string;
  readonly #events: Event[];
  readonly #links: PictureLink[] = [];
  readonly #definitions = new Map<string, PictureLink>();
  readonly #used = new Set<string>();
  readonly #open: Part[] = [];
  readonly #openLinks: Part[] = [];
  readonly #around: Wrapping[] = [];
  /** The element `<a>` that hasn't ended, which may be several tokens of HTML ago. */
  #anchor: Wrapping | undefined;

  constructor(text: string, events: Event[]) {
    this.#text = text;
    this.#events = events;
  }

  links(): PictureLink[] {
    for (const [index, [kind, token]] of this.#events.entries()) {
      if (kind === 'enter') this.#enter(token, index);
      else if (token === this.#open.at(-1)?.token) this.#exit(token);
    }
    for (const name of this.#used) this.#add(this.#definitions.get(name));
    for (const link of linksToShown(this.#around.flatMap((each) => this.#resolve(each)))) this.#add(link);
    // A definition can be both that of an image and that of a link around it.
    const unique = new Map(this.#links.map((link) => [link.start, link]));
    return [...unique.values()].sort((one, other) => one.start - other.start);
  }

  #enter(token: Token, index: number) {
    const part = this.#open.at(-1);
    switch (token.type) {
      case 'image':
      case 'link':
      case 'definition': {
        const opened = { token, hasResource: false, shown: [] };
        this.#open.push(opened);
        if (token.type === 'link') this.#openLinks.push(opened);
        break;
      }
      case 'resource':
        if (part) part.hasResource = true;
        break;
      case 'resourceDestinationString':
      case 'definitionDestinationString':
        if (part) part.destination ??= token;
        break;
      case 'referenceString':
        if (part) part.reference ??= token;
        break;
      case 'labelText':
      case 'definitionLabelString':
        if (part) part.label ??= token;
        break;
      case 'htmlText':
      case 'htmlFlow':
        this.#html(token, index);
        break;
      case 'wikiEmbed':
        this.#show(wikiEmbed(slice(this.#text, token), token.start.offset));
        break;
      case 'looseImage':
        this.#show(looseImage(slice(this.#text, token), token.start.offset));
        break;
    }
  }

  #exit({ type }: Token) {
    const part = this.#open.pop() as Part;
    const link = destination(this.#text, part.destination);
    const identifier = identifierOf(this.#text, part.reference ?? part.label);
    if (type === 'definition') {
      // Of definitions with the same name, the first one counts.
      if (link && !this.#definitions.has(identifier)) this.#definitions.set(identifier, link);
    } else if (type === 'link') {
      this.#openLinks.pop();
      if (part.shown.length > 0) this.#around.push({ link, identifier: part.hasResource ? '' : identifier, shown: part.shown });
    } else if (part.hasResource) this.#show(link);
    else {
      this.#used.add(identifier);
      this.#noteShown({ identifier });
    }
  }

  #show(link: PictureLink | undefined) {
    if (!link) return;
    this.#links.push(link);
    this.#noteShown({ target: link.target });
  }

  #noteShown(shown: Shown) {
    this.#openLinks.at(-1)?.shown.push(shown);
    this.#anchor?.shown.push(shown);
  }

  #targetOf(shown: Shown) {
    return 'target' in shown ? shown.target : this.#definitions.get(shown.identifier)?.target;
  }

  #html(token: Token, index: number) {
    const html = htmlOf(this.#text, this.#events, index);
    const { links, shown, open } = htmlPictures(html, markdownIn);
    for (const link of shifted(links, token.start.offset)) this.#add(link);
    for (const target of shown) this.#noteShown({ target });
    if (/<\/a[\s>]/i.test(html)) this.#anchor = undefined;
    if (!open) return;
    const [link] = shifted([open.link], token.start.offset);
    this.#anchor = { link, identifier: '', shown: open.shown.map((target) => ({ target })) };
    this.#around.push(this.#anchor);
  }

  /** With the definitions that the link and the pictures refer to. */
  #resolve({ link, identifier, shown }: Wrapping): Around[] {
    const found = link ?? this.#definitions.get(identifier);
    const targets = shown.map((each) => this.#targetOf(each)).filter((target) => target !== undefined);
    return found ? [{ link: found, shown: targets }] : [];
  }

  #add(link: PictureLink | undefined) {
    if (link) this.#links.push(link);
  }
}

const slice = (text: string, { start, end }: Token) => text.slice(start.offset, end.offset);

function identifierOf(text: string, token: Token | undefined): string {
  return token ? normalizeIdentifier(slice(text, token)) : '';
}

const inMarkdown = (start: number, end: number, target: string): PictureLink => ({
  start,
  end,
  target,
  before: '',
  after: '',
  isAttribute: false,
});

function destination(text: string, token: Token | undefined): PictureLink | undefined {
  return token && inMarkdown(token.start.offset, token.end.offset, decodeString(slice(text, token)));
}

/** The HTML of a token, with the same offsets: what belongs to a list or quotation around it is blanked. */
function htmlOf(text: string, events: Event[], index: number): string {
  const own = (events[index] as Event)[1];
  let html = '';
  for (let next = index + 1; next < events.length; next++) {
    const [kind, token] = events[next] as Event;
    if (token === own) break;
    if (kind !== 'enter' || (token.type !== 'htmlFlowData' && token.type !== 'htmlTextData')) continue;
    const between = text.slice(own.start.offset + html.length, token.start.offset);
    html += between.replace(/[^\r\n]/g, ' ') + slice(text, token);
  }
  return html;
}

/** Becomes an ordinary image, in which Obsidian reads the size, too. */
function wikiEmbed(text: string, start: number): PictureLink {
  const [, name = '', position = '', bar = '|', label = ''] = WIKI_EMBED.exec(text) ?? [];
  const isSize = /^\d+(x\d+)?$/.test(label.trim());
  const stem = (name.split('/').at(-1) ?? name).trim().replace(/\.\w+$/, '');
  const alt = escapeAlt(isSize || !label ? stem : label) + (isSize ? bar + label.trim() : '');
  return {
    ...inMarkdown(start, start + text.length, name.trim()),
    isName: true,
    before: `![${alt}](`,
    after: `${position.trim().replaceAll(' ', '%20')})`,
  };
}

const escapeAlt = (text: string) => text.replace(/[\\*_`<&]/g, '\\$&');

function looseImage(text: string, start: number): PictureLink | undefined {
  const place = readLooseImage(text);
  if (!place) return undefined;
  const path = text.slice(place.start, place.end);
  // Editors that write spaces don't escape either.
  return inMarkdown(start + place.start, start + place.end, path.includes(' ') ? path : decodeString(path));
}
