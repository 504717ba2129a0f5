import { expect, test } from 'vitest';
import { linkOf, linksOf } from '#main/links.ts';

const links = {
  url: 'http://h/i/a.png',
  markdown: '![a](http://h/i/a.png)',
  html: '<img src="http://h/i/a.png">',
  bbcode: '[img]http://h/i/a.png[/img]',
  thumbnail_url: 'http://h/t/a.jpg',
  share_url: 'http://h/s/a',
};

test.each(['url', 'markdown', 'html', 'bbcode'] as const)('a link as %s is the one that the service gives', (format) => {
  expect(linkOf({ links, max_views: 0 }, format)).toBe(links[format]);
});

test('a picture with a view limit is copied as its share page, so that a preview does not spend a view', () => {
  expect(linkOf({ links, max_views: 3 }, 'markdown')).toBe(links.share_url);
});

test('several links go one per line, in order', () => {
  const other = { links: { ...links, url: 'http://h/i/b.png' }, max_views: 0 };
  expect(linksOf([{ links, max_views: 0 }, other], 'url')).toBe('http://h/i/a.png\nhttp://h/i/b.png');
});
