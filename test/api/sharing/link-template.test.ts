import { expect, test } from 'vitest';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { fillTemplate, PLACEHOLDERS, unknownPlaceholders } from '#api/sharing/link-template.ts';

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
