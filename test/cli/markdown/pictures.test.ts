import { describe, expect, it } from 'vitest';
import { documentPictures } from '#cli/markdown/html-pictures.ts';
import { markdownPictures } from '#cli/markdown/markdown-pictures.ts';

/** The targets of a document, in order; their places must be what is replaced. */
const targets = (text: string) => markdownPictures(text).map(({ target }) => target);

/** The document with all its pictures replaced. */
function replaced(text: string): string {
  const links = markdownPictures(text).toReversed();
  return links.reduce((result, { start, end, replacement }) => result.slice(0, start) + replacement('U') + result.slice(end), text);
}

describe('the pictures of Markdown', () => {
  it.each([
    ['![a](img/a.png "title") and ![](b.png)', '![a](U "title") and ![](U)'],
    ['![](<my pic.png>) ![](a%20b.png)', '![](<U>) ![](U)'],
    ['![x](my pic (2).png "t") ![y](a.png)', '![x](U "t") ![y](U)'],
    ['[![thumb](t.png)](full.png)', '[![thumb](U)](full.png)'],
    ['![outer ![inner](i.png)](o.png)', '![outer ![inner](U)](U)'],
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
    ["text <img alt='a > b' src='a.png'/> <IMG SRC=b.png>", "text <img alt='a > b' src='U'/> <IMG SRC=U>"],
    ['> <img\n>   src="q.png">', '> <img\n>   src="U">'],
    [
      '<picture><source srcset="s1.png 1x, s2.png 2x"><img src="s.png"></picture>',
      '<picture><source srcset="U 1x, U 2x"><img src="U"></picture>',
    ],
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
});
