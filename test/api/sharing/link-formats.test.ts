import { expect, test } from 'vitest';
import { linkOf, linksOf, WEB_LINK_FORMATS } from '#api/sharing/link-formats.ts';

const links = {
  url: 'http://h/i/a.png',
  markdown: '![a](http://h/i/a.png)',
  html: '<img src="http://h/i/a.png">',
  bbcode: '[img]http://h/i/a.png[/img]',
  thumbnail_url: 'http://h/t/a.jpg',
  share_url: 'http://h/s/a',
};
/** As the service writes them for a picture with a view limit. */
const limited = {
  links: {
    ...links,
    markdown: '[a](http://h/s/a)',
    html: '<a href="http://h/s/a">a</a>',
    bbcode: '[url]http://h/s/a[/url]',
  },
  max_views: 3,
};

test.each(['url', 'markdown', 'html', 'bbcode'] as const)('a link in the format %s is the one that the service returns', (format) => {
  expect(linkOf({ links, max_views: 0 }, format)).toBe(links[format]);
});

test('a thumbnail link is the one that the service returns', () => {
  expect(linkOf({ links, max_views: 0 }, 'thumbnail')).toBe(links.thumbnail_url);
});

test('the share page is a format', () => {
  expect(linkOf({ links, max_views: 0 }, 'share_page')).toBe(links.share_url);
});

test.each(WEB_LINK_FORMATS)('a link to a view-limited picture in the format %s leads to its share page', (format) => {
  const text = linkOf(limited, format);
  expect(text).toContain(links.share_url);
  expect(text).not.toContain('/i/');
});

test.each(['url', 'thumbnail'] as const)('the address of a view-limited picture in the format %s is its share page alone', (format) => {
  expect(linkOf(limited, format)).toBe(links.share_url);
});

test.each(['markdown', 'html', 'bbcode'] as const)('a view-limited picture as %s is what the service returns', (format) => {
  expect(linkOf(limited, format)).toBe(limited.links[format]);
});

test('several links are one per line, in order', () => {
  const other = { links: { ...links, url: 'http://h/i/b.png' }, max_views: 0 };
  expect(linksOf([{ links, max_views: 0 }, other, limited], 'url')).toBe('http://h/i/a.png\nhttp://h/i/b.png\nhttp://h/s/a');
});

test('Markdown with a link shows the thumbnail and leads to the original; a view-limited picture’s leads to its share page', () => {
  expect(linkOf({ links }, 'markdown_linked')).toBe('[![a](http://h/t/a.jpg)](http://h/i/a.png)');
  expect(linkOf(limited, 'markdown_linked')).toBe(limited.links.markdown);
});

test('responsive HTML states real widths, in three formats, with the alternative text', () => {
  const written = { ...links, html: '<img src="http://h/i/a.png" alt="1 &lt; 2">' };
  const html = linkOf({ links: written, width: 1000, height: 2000 }, 'html_responsive');
  const widths = (ext: string) => `http://h/t/a.${ext}?w=400 200w, http://h/t/a.${ext}?w=800 400w, http://h/t/a.${ext}?w=1600 800w`;
  expect(html).toBe(
    [
      '<picture>',
      `<source type="image/avif" srcset="${widths('avif')}" sizes="(max-width: 400px) 100vw, 400px">`,
      `<source type="image/webp" srcset="${widths('webp')}" sizes="(max-width: 400px) 100vw, 400px">`,
      `<img src="http://h/t/a.jpg?w=800" srcset="${widths('jpg')}" sizes="(max-width: 400px) 100vw, 400px" width="400" height="800" loading="lazy" alt="1 &lt; 2">`,
      '</picture>',
    ].join(''),
  );
});

test('responsive HTML has no larger sizes than the picture, and one where it is small', () => {
  const sizesOf = (width: number) => linkOf({ links, width, height: 10 }, 'html_responsive').match(/jpg\?w=(\d+) (\d+)w/g);
  expect(sizesOf(300)).toEqual(['jpg?w=400 300w']);
  expect(sizesOf(400)).toEqual(['jpg?w=400 400w']);
  expect(sizesOf(500)).toEqual(['jpg?w=400 400w', 'jpg?w=800 500w']);
});

test.each([
  ['the size is unknown', { links }],
  ['the picture moves', { links: { ...links, url: 'http://h/i/a.gif' }, width: 9, height: 9 }],
  ['the picture is a drawing', { links: { ...links, url: 'http://h/i/a.svg' }, width: 9, height: 9 }],
])('responsive HTML is the usual one where %s', (_why, image) => {
  expect(linkOf(image, 'html_responsive')).toBe(links.html);
});
