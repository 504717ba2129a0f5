import { expect, it } from 'vitest';
import { compareAddresses } from '#renderer/service/compare-addresses.ts';

it.each([
  ['http://pixdock.test:7610', 'http://127.0.0.1:7610', true],
  ['http://192.168.1.5:7610', 'http://localhost:7610', true],
  ['http://192.168.1.5:7610', 'http://[::1]:7610', true],
  ['http://192.168.1.5:7610', 'https://pics.example.org', false],
  ['http://pics.example.org', 'https://pics.example.org', false],
])('a page at %s differs from links at %s', (page, links, local) => {
  expect(compareAddresses(page, links)).toEqual({ page, links, local });
});

it.each([
  ['https://pics.example.org', 'https://pics.example.org'],
  ['http://127.0.0.1:7610', 'https://pics.example.org'],
  ['http://localhost:7610', 'http://127.0.0.1:7610'],
])('a page at %s on the server itself, or at the link address, is no difference to %s', (page, links) => {
  expect(compareAddresses(page, links)).toBeUndefined();
});
