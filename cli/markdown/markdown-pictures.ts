import { parse, postprocess, preprocess } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import type { Event, Token, TokenType } from 'micromark-util-types';
import { htmlPictures } from './html-pictures.ts';
import type { PictureLink } from './picture-link.ts';
import { imageSyntax, SPACED_IMAGE, WIKI_EMBED } from './syntax.ts';

const BYTE_ORDER_MARK = '\ufeff';
const SYNTAX = { extensions: [gfm(), frontmatter(['yaml', 'toml']), imageSyntax] };

/** The pictures in Markdown, in HTML within it, and the definitions that its images refer to. Code, comments and front matter have none. */
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
  const links: PictureLink[] = [];
  const definitions: { identifier: string; link: PictureLink }[] = [];
  const used = new Set<string>();
  for (const [index, [kind, token]] of events.entries()) {
    if (kind !== 'enter') continue;
    switch (token.type) {
      case 'image': {
        const parts = partsOf(events, index);
        if (find(parts, 'resource')) links.push(...destination(text, find(parts, 'resourceDestinationString')));
        else used.add(identifier(text, find(parts, 'referenceString') ?? find(parts, 'labelText')));
        break;
      }
      case 'definition': {
        const parts = partsOf(events, index);
        const label = identifier(text, find(parts, 'definitionLabelString'));
        for (const link of destination(text, find(parts, 'definitionDestinationString'))) definitions.push({ identifier: label, link });
        break;
      }
      case 'htmlText':
      case 'htmlFlow':
        links.push(...shifted(htmlPictures(htmlOf(text, events, index), markdownIn), token.start.offset));
        break;
      case 'wikiEmbed':
        links.push(...wikiEmbed(text, token));
        break;
      case 'spacedImage':
        links.push(...spacedImage(text, token));
        break;
    }
  }
  // Of definitions with the same name, the first one counts.
  const first = new Map(definitions.toReversed().map((definition) => [definition.identifier, definition.link]));
  for (const name of used) links.push(...[first.get(name)].filter((link) => link !== undefined));
  return links.sort((one, other) => one.start - other.start);
}

const markdownIn = (text: string, offset: number) => shifted(withoutMark(text), offset);

const shifted = (links: PictureLink[], by: number) => links.map((link) => ({ ...link, start: link.start + by, end: link.end + by }));

/** What an image or definition consists of, without the images in its label. */
function partsOf(events: Event[], start: number): Token[] {
  const parts: Token[] = [];
  const own = events[start]?.[1];
  let nested = 0;
  for (let index = start + 1; index < events.length; index++) {
    const [kind, token] = events[index] as Event;
    if (token === own) break;
    if (token.type === 'image') nested += kind === 'enter' ? 1 : -1;
    else if (kind === 'enter' && nested === 0) parts.push(token);
  }
  return parts;
}

const find = (parts: Token[], type: TokenType) => parts.find((token) => token.type === type);

const slice = (text: string, { start, end }: Token) => text.slice(start.offset, end.offset);

function identifier(text: string, token: Token | undefined): string {
  return token ? normalizeIdentifier(slice(text, token)) : '';
}

function destination(text: string, token: Token | undefined): PictureLink[] {
  if (!token) return [];
  return [{ start: token.start.offset, end: token.end.offset, target: decodeString(slice(text, token)), replacement: (url) => url }];
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
function wikiEmbed(text: string, token: Token): PictureLink[] {
  const [, name = '', position = '', bar = '|', label = ''] = WIKI_EMBED.exec(slice(text, token)) ?? [];
  const isSize = /^\d+(x\d+)?$/.test(label.trim());
  const stem = (name.split('/').at(-1) ?? name).trim().replace(/\.\w+$/, '');
  const alt = escapeAlt(isSize || !label ? stem : label) + (isSize ? bar + label.trim() : '');
  return [
    {
      start: token.start.offset,
      end: token.end.offset,
      target: name.trim(),
      isName: true,
      replacement: (url) => `![${alt}](${url}${position.trim().replaceAll(' ', '%20')})`,
    },
  ];
}

const escapeAlt = (text: string) => text.replace(/[\\*_`<&]/g, '\\$&');

function spacedImage(text: string, token: Token): PictureLink[] {
  const [, before = '', target = ''] = SPACED_IMAGE.exec(slice(text, token)) ?? [];
  const start = token.start.offset + before.length;
  return [{ start, end: start + target.length, target, replacement: (url) => url }];
}
