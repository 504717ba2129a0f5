import { expect, test } from 'vitest';
import { linkOf, linksOf, styledLinks, WEB_LINK_FORMATS } from '#api/sharing/link-formats.ts';
import { fillTemplate, PLACEHOLDERS, unknownPlaceholders } from '#api/sharing/link-template.ts';
import { reachOf } from '#api/sharing/reach.ts';

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

const image = {
  key: 'b7Rk2mQx9LpT',
  name: 'harbour $& {url}.png',
  width: 1600,
  height: 900,
  max_views: 0,
  links: {
    url: 'http://h/i/b7Rk2mQx9LpT.png',
    markdown: '![harbour](http://h/i/b7Rk2mQx9LpT.png)',
    html: '<img src="http://h/i/b7Rk2mQx9LpT.png">',
    bbcode: '[img]http://h/i/b7Rk2mQx9LpT.png[/img]',
    thumbnail_url: 'http://h/t/b7Rk2mQx9LpT.jpg',
    share_url: 'http://h/s/b7Rk2mQx9LpT',
  },
};

test.each([
  ['url', image.links.url],
  ['name', image.name],
  ['key', 'b7Rk2mQx9LpT'],
  ['width', '1600'],
  ['height', '900'],
  ['thumbnail_url', image.links.thumbnail_url],
  ['share_url', image.links.share_url],
])('replaces {%s}', (word, value) => {
  expect(fillTemplate(`<{${word}}|{${word}}>`, image)).toBe(`<${value}|${value}>`);
});

test('has no placeholder without a value', () => {
  const filled = fillTemplate(PLACEHOLDERS.map((word) => `{${word}}`).join(' '), { ...image, name: 'harbour' });
  expect(filled).not.toMatch(/[{}]|undefined/);
});

test.each([
  ['{{url}', '{url}'],
  ['\\includegraphics{{{key}}', '\\includegraphics{b7Rk2mQx9LpT}'],
  ['{ "a": { "url": "{key}" } }', '{ "a": { "url": "b7Rk2mQx9LpT" } }'],
  ['} {', '} {'],
  ['', ''],
])('writes braces that belong to no placeholder: %s', (template, text) => {
  expect(fillTemplate(template, image)).toBe(text);
});

test('keeps unknown placeholders and reports each once', () => {
  const template = '{size} {url} {Size} {size} {} {{key}';
  expect(fillTemplate(template, image)).toBe(`{size} ${image.links.url} {Size} {size} {} {key}`);
  expect(unknownPlaceholders(template)).toEqual(['{size}', '{Size}', '{}']);
  expect(unknownPlaceholders('{url} {{nothing}')).toEqual([]);
});

test('leads to the share page of a view-limited picture only', () => {
  const text = fillTemplate('{url} {thumbnail_url} {share_url}', { ...image, max_views: 1 });
  expect(text).toBe(Array(3).fill(image.links.share_url).join(' '));
});

test.each([
  ['newline', 'b7Rk2mQx9LpT\nother'],
  ['space', 'b7Rk2mQx9LpT other'],
  ['comma', 'b7Rk2mQx9LpT, other'],
] as const)('joins the links of several pictures by a %s', (separator, text) => {
  const images = [image, { ...image, key: 'other' }];
  expect(styledLinks(images, { format: 'custom', template: '{key}', separator })).toBe(text);
});

test('writes the other formats as the service does, whatever the template', () => {
  expect(styledLinks([image], { format: 'markdown', template: '{key}', separator: 'newline' })).toBe(image.links.markdown);
});

test.each([
  ['computer', ['127.0.0.1:7410', '127.0.0.5', 'localhost:7410', 'pixdock.localhost', '[::1]:7410']],
  [
    'network',
    ['192.168.1.5:7410', '10.0.0.7', '172.16.0.1', '172.31.9.9', '169.254.3.4', '100.64.0.1', '100.127.1.1', '[fd12::5]', '[fe80::1]'],
  ],
  ['network', ['pixdock.local:7410', 'desk:7410', 'pics.example.lan', 'nas.home.arpa', 'pics.corp']],
  [
    'internet',
    ['pics.example.org', '172.32.0.1', '172.15.0.1', '100.128.0.1', '193.168.1.5', '[2001:db8::1]', 'local.example', '10.example.org'],
  ],
] as const)('links can be opened from: %s', (reach, hosts) => {
  for (const host of hosts) expect([host, reachOf(`http://${host}/i/x.png`)]).toEqual([host, reach]);
});
