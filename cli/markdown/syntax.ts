import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types';
import { ALL_EXTS } from '#api/formats.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    wikiEmbed: 'wikiEmbed';
    looseImage: 'looseImage';
    admonition: 'admonition';
    admonitionPrefix: 'admonitionPrefix';
    admonitionIndent: 'admonitionIndent';
  }
}

const BANG = 33;
const SPACE = 32;
const EQUALS = 61;
const QUESTION_MARK = 63;
/** Longer spans aren't links; the limit keeps the time linear. */
const MAX_SPAN = 1000;
const INDENT = 4;

/** Obsidian's embeds: the name, an optional heading or position, and an optional size or alternative text. */
export const WIKI_EMBED = /^!\[\[([^[\]|#\\]+)(#[^[\]|\\]*)?(?:(\\?\|)([^[\]]*))?\]\]$/;

/** What follows the path of an image: titles, and sizes such as `=100x200`. */
const TAIL = String.raw`((?:\s+(?:"[^"]*"|'[^']*'|=[\dx*][\d.x*%a-z]*))*)\s*`;
const WITH_SPACES = new RegExp(String.raw`^\s*([^\s<>"'[\]][^<>"[\]]*\.(?:${ALL_EXTS.join('|')}))${TAIL}$`, 'i');
const WITHOUT_SPACES = new RegExp(String.raw`^\s*(?:<([^<>]*)>|([^\s<>]+))${TAIL}$`, 'i');

/**
 * Where the path is in an image that CommonMark doesn't take for one: the path has spaces, as Typora and other editors write it, or a size
 * follows it (markdown-it-imsize, HackMD and others).
 */
export function readLooseImage(text: string): { start: number; end: number } | undefined {
  const from = text.indexOf('](') + 2;
  const inner = text.slice(from, -1);
  const [, spaced = ''] = WITH_SPACES.exec(inner) ?? [];
  const [, pointed, plain = '', tail = ''] = WITHOUT_SPACES.exec(inner) ?? [];
  const path = spaced.includes(' ') ? spaced : /\s=/.test(tail) && (pointed ?? plain);
  if (!path) return undefined;
  const start = from + inner.indexOf(path);
  return { start, end: start + path.length };
}

/** What image links are made of beyond CommonMark: Obsidian's embeds, paths with spaces, sizes, and the indented blocks of Python-Markdown. */
export const imageSyntax: Extension = {
  text: { [BANG]: [span('wikiEmbed', decideWikiEmbed), span('looseImage', decideLooseImage)] },
  document: { [BANG]: admonition(['!!!']), [QUESTION_MARK]: admonition(['???', '???+']), [EQUALS]: admonition(['===', '===!', '===+']) },
};

/**
 * Reads a span by its characters, the last of which has just been added.
 * @returns whether it is complete; undefined if more has to be read
 */
type Decide = (chars: readonly string[]) => boolean | undefined;

/** Whether the characters begin like a span, as far as they go. */
const beginsLike = (start: string, chars: readonly string[]) => start.startsWith(chars.slice(0, start.length).join(''));

function decideWikiEmbed(): Decide {
  return (chars) => {
    if (!beginsLike('![[', chars) || (chars.length > 3 && chars.at(-1) === '[')) return false;
    return chars.at(-1) === ']' && chars.at(-2) === ']' ? WIKI_EMBED.test(chars.join('')) : undefined;
  };
}

/** Brackets in the alternative text and parentheses in the path come in pairs: `Screenshot (2).png`. */
function decideLooseImage(): Decide {
  let depth = 0;
  let isInPath = false;
  return (chars) => {
    const [char, previous] = [chars.at(-1), chars.at(-2)];
    if (!beginsLike('![', chars)) return false;
    if (chars.length <= 2 || (previous === '\\' && chars.at(-3) !== '\\')) return undefined;
    if (!isInPath) {
      if (char === '[') return false;
      isInPath = char === '(' && previous === ']';
    } else if (char === '(') depth++;
    else if (char === ')' && depth-- === 0) return readLooseImage(chars.join('')) !== undefined;
    return undefined;
  };
}

/** Text on one line, from an exclamation mark until it is decided. */
function span(type: 'wikiEmbed' | 'looseImage', begin: () => Decide): Construct {
  return { name: type, tokenize: tokenizeSpan };

  function tokenizeSpan(effects: Parameters<Tokenizer>[0], ok: State, nok: State): State {
    const chars: string[] = [];
    const decide = begin();
    return (code) => {
      effects.enter(type);
      return next(code);
    };

    function next(code: Code): State | undefined {
      // Negative codes are line ends and tabs.
      if (code === null || code < 0 || chars.length > MAX_SPAN) return nok(code);
      chars.push(String.fromCharCode(code));
      const decided = decide(chars);
      if (decided === false) return nok(code);
      effects.consume(code);
      if (decided === undefined) return next;
      effects.exit(type);
      return ok;
    }
  }
}

/** A block whose content is indented by four spaces, after a line such as `!!! note` (MkDocs). CommonMark would take it for code. */
function admonition(markers: readonly string[]): Construct {
  return {
    name: 'admonition',
    tokenize(effects, ok, nok) {
      let marker = '';
      return (code) => {
        effects.enter('admonition', { _container: true });
        effects.enter('admonitionPrefix');
        return next(code);
      };

      function next(code: Code): State | undefined {
        if (code === SPACE && markers.includes(marker)) {
          effects.consume(code);
          effects.exit('admonitionPrefix');
          return ok;
        }
        if (code === null || code <= SPACE || marker.length === INDENT) return nok(code);
        marker += String.fromCharCode(code);
        effects.consume(code);
        return next;
      }
    },
    continuation: {
      tokenize(effects, ok, nok) {
        return effects.check(blankLine, ok, effects.attempt(indentation, ok, nok));
      },
    },
    exit(effects) {
      effects.exit('admonition');
    },
  };
}

const blankLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return skipSpaces(effects, Number.POSITIVE_INFINITY, (code) => (code === null || code < -2 ? ok(code) : nok(code)));
  },
};

const indentation: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return skipSpaces(effects, INDENT, (code, count) => (count === INDENT ? ok(code) : nok(code)));
  },
};

/** Reads spaces and tabs; a tab is its own code, followed by those of the columns it fills. */
function skipSpaces(effects: Parameters<Tokenizer>[0], max: number, then: (code: Code, count: number) => State | undefined): State {
  let count = 0;
  return start;

  function start(code: Code): State | undefined {
    if (!isSpace(code)) return then(code, 0);
    effects.enter('admonitionIndent');
    return next(code);
  }

  function next(code: Code): State | undefined {
    if (isSpace(code) && count < max) {
      effects.consume(code);
      count++;
      return next;
    }
    effects.exit('admonitionIndent');
    return then(code, count);
  }
}

const isSpace = (code: Code) => code === -2 || code === -1 || code === SPACE;
