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
