import { describe, expect, it, onTestFinished } from 'vitest';
import { documentPictures } from '#cli/markdown/html-pictures.ts';
import { markdownPictures } from '#cli/markdown/markdown-pictures.ts';
import { type ParseJob, Parser } from '#cli/markdown/parser.ts';
import { type PictureLink, written } from '#cli/markdown/picture-link.ts';

/** The targets of a document, in order; their places must be what is replaced. */
const targets = (text: string) => markdownPictures(text).map(({ target }) => target);

/** The document with all its pictures replaced. */
function replaced(text: string, find: (text: string) => PictureLink[] = markdownPictures): string {
  return find(text)
    .toReversed()
    .reduce((result, link) => result.slice(0, link.start) + written(link, 'U') + result.slice(link.end), text);
}

describe('the pictures of Markdown', () => {
  it.each([
    ['![a](img/a.png "title") and ![](b.png)', '![a](U "title") and ![](U)'],
    ['![](<my pic.png>) ![](a%20b.png)', '![](<U>) ![](U)'],
    ['![x](my pic (2).png "t") ![y](a.png)', '![x](U "t") ![y](U)'],
    ['[![thumb](t.png)](full.png)', '[![thumb](U)](full.png)'],
    ['![outer ![inner](i.png)](o.png) ![x [y](page.html)](z.png)', '![outer ![inner](U)](U) ![x [y](page.html)](U)'],
    ['![a (b)](my pic.png) ![a](x (1) [2].png)', '![a (b)](U) ![a](x (1) [2].png)'],
    ['![x](a\\_b.png) ![y](a&amp;b.png)', '![x](U) ![y](U)'],
    [
      '![x][r] ![r][] ![R] [r]\n\n[r]: r.png "T"\n[r]: second.png\n[link]: u.png',
      '![x][r] ![r][] ![R] [r]\n\n[r]: U "T"\n[r]: second.png\n[link]: u.png',
    ],
    ['![[pic.png]] ![[a/b c.png|300]] ![[x.png#right|An *alt*]]', '![pic](U) ![b c|300](U) ![An \\*alt\\*](U#right)'],
    ['| a |\n|---|\n| ![[t.png\\|100]] ![](c.png) |', '| a |\n|---|\n| ![t\\|100](U) ![](U) |'],
    ['text[^1]\n\n[^1]: ![](a.png)\n\n    ![](b.png)', 'text[^1]\n\n[^1]: ![](U)\n\n    ![](U)'],
    ['- a\n\n    ![](a.png)\n\n> ![](b.png)', '- a\n\n    ![](U)\n\n> ![](U)'],
    ['!!! note "T"\n\n    ![](a.png)\n\n    - b\n\n        ![](b.png)', '!!! note "T"\n\n    ![](U)\n\n    - b\n\n        ![](U)'],
    ['=== "Tab"\n\n\t![](a.png)\n\nTitle\n===\n![](b.png)', '=== "Tab"\n\n\t![](U)\n\nTitle\n===\n![](U)'],
    ['<figure markdown="span">\n  ![F](f.png){ width=300 }\n</figure>', '<figure markdown="span">\n  ![F](U){ width=300 }\n</figure>'],
    ["text <img alt='a > b' src='a.png'/> <IMG SRC=b.png>", `text <img alt='a > b' src='U'/> <IMG SRC="U">`],
    ['> <img\n>   src="q.png">', '> <img\n>   src="U">'],
    [
      '<picture><source srcset="s1.png 1x, s2.png 2x"><img src="s.png"></picture>',
      '<picture><source srcset="U 1x, U 2x"><img src="U"></picture>',
    ],
    // Sizes as HackMD, markdown-it-imsize and others write them.
    ['![](a.png =100x200) ![x](b.png =100x) ![x](c.png =x20 "t")', '![](U =100x200) ![x](U =100x) ![x](U =x20 "t")'],
    ['![](a.png "t" =50%x) ![](<a b.png> =1x2) ![](c (d).png =300x*)', '![](U "t" =50%x) ![](<U> =1x2) ![](U =300x*)'],
    ['- ![](a\\_b.png =1x1)\n\n| a |\n|---|\n| ![](t =1x1) |', '- ![](U =1x1)\n\n| a |\n|---|\n| ![](U =1x1) |'],
  ])('are found in %j', (text, expected) => {
    for (const mark of ['', '\ufeff']) {
      expect(replaced(mark + text)).toBe(mark + expected);
      expect(replaced((mark + text).replaceAll('\n', '\r\n'))).toBe((mark + expected).replaceAll('\n', '\r\n'));
    }
  });

  it.each([
    ['`![](a.png)` ``![[b.png]]`` `<img src="c.png">`'],
    ['    ![](a.png)\n\n\t![[b.png]]'],
    ['```md\n![](a.png)\n<img src="b.png">\n![[c.png]]\n```'],
    ['~~~\n![](a.png)\n'],
    ['=== "Tab"\n    ```\n    ![](a.png)\n    ```'],
    ['---\ncover: ![](a.png)\nimage: <img src="b.png">\n---\ntext'],
    ['+++\ncover = "![](a.png)"\n+++\ntext'],
    ['<!-- ![](a.png) <img src="b.png"> -->'],
    ['<script>"<img src=a.png>"</script>\n\n<style>/* <img src=b.png> */</style>'],
    ['\\![](a.png) \\<img src="b.png">'],
    ['[a](a.png) [[b.png]] ![not closed](c.png'],
    ['[r]: a.png'],
    ['![no such reference][x]'],
    ['![] text (b c.png)'],
  ])('are not found in code, comments, front matter and links: %j', (text) => {
    expect(targets(text)).toEqual([]);
  });
});

describe('a link around a picture', () => {
  it.each([
    ['[![](a.jpg)](a.jpg)', '[![](U)](U)'],
    ['[text ![x](a.jpg "t") *![](b.jpg)*](<a.jpg> "T")', '[text ![x](U "t") *![](U)*](<U> "T")'],
    ['[![](./a%20b.jpg)](<a b.jpg>) [![](a.jpg)](x/../a.jpg#big)', '[![](U)](<U>) [![](U)](U)'],
    ['[![][r]][r]\n\n[r]: a.jpg', '[![][r]][r]\n\n[r]: U'],
    ['[![][r]](a.jpg) [![](b.jpg)][s]\n\n[r]: a.jpg\n[s]: b.jpg', '[![][r]](U) [![](U)][s]\n\n[r]: U\n[s]: U'],
    ['[![](a.jpg =10x10)](a.jpg) [![[a.jpg]]](a.jpg)', '[![](U =10x10)](U) [![a](U)](U)'],
    ['[![](caf\u00e9.jpg)](cafe\u0301.jpg)', '[![](U)](U)'],
    ['<a href="a.jpg"><img src="a.jpg"></a>', '<a href="U"><img src="U"></a>'],
    ['x <a href=a.jpg><img src=a.jpg></a> y', 'x <a href="U"><img src="U"></a> y'],
    ['<a href="a.jpg">![](a.jpg)</a> <a href="b.jpg">![](a.jpg)</a>', '<a href="U">![](U)</a> <a href="b.jpg">![](U)</a>'],
    [
      '<div>\n<a href="a.jpg"><picture><source srcset="a.jpg 2x"></picture></a></div>',
      '<div>\n<a href="U"><picture><source srcset="U 2x"></picture></a></div>',
    ],
    ['[<img src="a.jpg">](a.jpg)', '[<img src="U">](U)'],
    ['<a href="a.jpg">\n\n![][r]\n\n</a>\n\n[r]: a.jpg', '<a href="U">\n\n![][r]\n\n</a>\n\n[r]: U'],
  ])('is replaced where it leads to the same picture: %j', (text, expected) => {
    for (const mark of ['', '\ufeff']) expect(replaced(mark + text)).toBe(mark + expected);
  });

  it.each([
    ['[![](a.jpg)](b.jpg)', '[![](U)](b.jpg)'],
    ['[![](a.jpg)](page.html) [a](a.jpg) ![](a.jpg)', '[![](U)](page.html) [a](a.jpg) ![](U)'],
    ['[![](https://x.example/a.jpg?w=1)](https://x.example/a.jpg?w=2)', '[![](U)](https://x.example/a.jpg?w=2)'],
    [
      '<a href="a.jpg">x</a> <img src="a.jpg"> <a href="b.jpg"><img src="a.jpg"></a>',
      '<a href="a.jpg">x</a> <img src="U"> <a href="b.jpg"><img src="U"></a>',
    ],
  ])('stays where it leads elsewhere: %j', (text, expected) => {
    expect(replaced(text)).toBe(expected);
  });
});

describe('the pictures of an HTML file', () => {
  it('are its images and their sources', () => {
    const html =
      '<!doctype html>\r\n<table><tr><td><img src=a.png></table><template><img srcset="b.png, c.png 2x"></template><video src="v.mp4">';
    expect(documentPictures(html).map(({ target, start, end }) => [target, html.slice(start, end)])).toEqual([
      ['a.png', 'a.png'],
      ['b.png', 'b.png'],
      ['c.png', 'c.png'],
    ]);
  });

  it.each([
    ['<img src=h.png>', '<img src="U">'],
    ['<img src= h.png alt=x>', '<img src= "U" alt=x>'],
    ["<img src='h.png'>", "<img src='U'>"],
    ['<img srcset=h.png>', '<img srcset="U">'],
    ['<img srcset=h.png,>', '<img srcset="U">'],
    ['<img srcset=" a.png ,b.png 100w , c.png 1.5x,d,e.png">', '<img srcset=" U ,U 100w , U 1.5x,U">'],
    ['<img srcset="data:image/png;base64,AA 1x,b.png">', '<img srcset="U 1x,U">'],
    ['<img srcset="a.png (x, y) 2x, b.png">', '<img srcset="U (x, y) 2x, U">'],
    ['<a href=h.png><p><img src=h.png><p><img src=h.png></a>', '<a href="U"><p><img src="U"><p><img src="U"></a>'],
  ])('are replaced as browsers read them, with quotes: %s', (html, expected) => {
    expect(replaced(html, documentPictures)).toBe(expected);
  });

  it('have their references resolved, and those of an address are written', () => {
    const html = '<img src="a&amp;b.png" srcset="c&amp;d.png 1x, e&#32;f.png 2x">';
    const links = documentPictures(html);
    expect(links.map(({ target }) => target)).toEqual(['a&b.png', 'c&d.png', 'e f.png']);
    expect(links.map((link) => written(link, 'u?a&copy'))).toEqual(Array(3).fill('u?a&amp;copy'));
  });
});

function parserWith(limits: ConstructorParameters<typeof Parser>[1], signal = new AbortController().signal) {
  const parser = new Parser(signal, limits);
  onTestFinished(() => parser[Symbol.asyncDispose]());
  return parser;
}

const GOOD: ParseJob = { text: '![](a.png) <img src=b.png>', isHtml: false };
const EVIL: ParseJob = { text: `${'!['.repeat(20_000)}a${'](a.png)'.repeat(20_000)}`, isHtml: false };

it('finds pictures in Markdown and HTML', async () => {
  const parser = parserWith({});
  expect((await parser.picturesOf(GOOD)).map(({ target }) => target)).toEqual(['a.png', 'b.png']);
  expect((await parser.picturesOf({ ...GOOD, isHtml: true })).map(({ target }) => target)).toEqual(['b.png']);
});

it('gives up on a text that takes too long, in a time that grows with its length, and reads the next', async () => {
  const parser = parserWith({ seconds: 1, secondsPerMillion: 10 });
  await expect(parser.picturesOf(EVIL)).rejects.toThrow('finding its pictures takes more than 4 s, so the file was left alone.');
  expect(await parser.picturesOf(GOOD)).toHaveLength(2);
});

it('gives up on a text that takes too much memory, and reads the next', async () => {
  const parser = parserWith({ heapMib: 24 });
  await expect(parser.picturesOf({ text: '![](a.png)\n\n'.repeat(100_000), isHtml: false })).rejects.toThrow('takes too much memory');
  expect(await parser.picturesOf(GOOD)).toHaveLength(2);
});

it('ends at once when the command is interrupted', async () => {
  const controller = new AbortController();
  const parser = parserWith({ seconds: 600 }, controller.signal);
  await parser.picturesOf(GOOD);
  const reading = parser.picturesOf(EVIL);
  controller.abort(new Error('interrupted'));
  await expect(reading).rejects.toThrow('interrupted');
});

it.each([
  ['images', '!['.repeat(1_000)],
  ['brackets', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ['srcset', `<img srcset="${'a'.repeat(200_000)} b"><img srcset="${','.repeat(100_000)}x"><img srcset="${'a, '.repeat(70_000)}">`],
  ['parentheses', `![](b ${'('.repeat(100_000)}`],
  ['spans', '![](b c '.repeat(3_000)],
  ['comments', '<!-- '.repeat(20_000)],
  ['references', '&amp'.repeat(50_000)],
  ['backticks', Array.from({ length: 150 }, (_, index) => `e${'`'.repeat(index)}`).join('')],
  ['table', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n|${'![](a.png)|'.repeat(500)}`],
  ['definitions', Array.from({ length: 500 }, (_, index) => `[a${index}]: b.png\n\n![a${index}]\n\n`).join('')],
  ['images in HTML', `<div>${'<img src=a.png>'.repeat(130_000)}`],
])('reads many %s in time', async (_, text) => {
  const parser = parserWith({});
  await expect(parser.picturesOf({ text, isHtml: false })).resolves.toBeInstanceOf(Array);
});
