import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types';
import { IMAGE_EXTENSIONS } from '#transfer/select.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    wikiEmbed: 'wikiEmbed';
    spacedImage: 'spacedImage';
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

/** An image whose path has spaces that CommonMark doesn't allow; Typora and other editors write and show it. */
export const SPACED_IMAGE = new RegExp(
  String.raw`^(!\[[^[\]]*\]\(\s*)([^\s<>"'[\]][^<>"[\]]*\.(?:${IMAGE_EXTENSIONS.join('|')}|svg))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)$`,
  'i',
);

/** What image links are made of beyond CommonMark: Obsidian's embeds, paths with spaces, and the indented blocks of Python-Markdown. */
export const imageSyntax: Extension = {
  text: { [BANG]: [span('wikiEmbed', isWikiEmbed), span('spacedImage', isSpacedImage)] },
  document: { [BANG]: admonition(['!!!']), [QUESTION_MARK]: admonition(['???', '???+']), [EQUALS]: admonition(['===', '===!', '===+']) },
};

/** Whether the text read so far is complete; undefined if more has to be read. */
type Decide = (text: string) => boolean | undefined;

function isWikiEmbed(text: string) {
  if (!'![['.startsWith(text.slice(0, 3)) || text.lastIndexOf('[') > 2) return false;
  return text.endsWith(']]') ? WIKI_EMBED.test(text) : undefined;
}

function isSpacedImage(text: string) {
  if (!'!['.startsWith(text.slice(0, 2)) || text.lastIndexOf('[') > 1) return false;
  if (!text.endsWith(')')) return undefined;
  // A path may contain pairs of parentheses: `Screenshot (2).png`.
  const depth = [...text].reduce((sum, char) => sum + (char === '(' ? 1 : char === ')' ? -1 : 0), 0);
  if (depth > 0) return undefined;
  const [, , path = ''] = SPACED_IMAGE.exec(text) ?? [];
  return path.includes(' ');
}

/** Text on one line, from an exclamation mark until it is decided. */
function span(type: 'wikiEmbed' | 'spacedImage', decide: Decide): Construct {
  return { name: type, tokenize: tokenizeSpan };

  function tokenizeSpan(effects: Parameters<Tokenizer>[0], ok: State, nok: State): State {
    let text = '';
    return (code) => {
      effects.enter(type);
      return next(code);
    };

    function next(code: Code): State | undefined {
      // Negative codes are line ends and tabs.
      if (code === null || code < 0 || text.length > MAX_SPAN) return nok(code);
      text += String.fromCharCode(code);
      const decided = decide(text);
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
