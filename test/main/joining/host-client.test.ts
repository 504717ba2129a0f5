import { expect, test } from 'vitest';
import { hostAddress } from '#main/joining/host-client.ts';

test.each([
  ['192.168.1.20', 'http://192.168.1.20:7410'],
  ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
  ['  desk.local  ', 'http://desk.local:7410'],
  ['desk', 'http://desk:7410'],
  ['[fe80::1]', 'http://[fe80::1]:7410'],
  ['desk.local:80/', 'http://desk.local'],
  ['pics.example.org', 'http://pics.example.org'],
  ['https://pics.example.org/albums?x=1#y', 'https://pics.example.org'],
  ['http://192.168.1.20/', 'http://192.168.1.20'],
])('%s is the address %s', (typed, address) => {
  expect(hostAddress(typed)).toBe(address);
});

test.each(['', '   ', 'ftp://desk', 'file:///etc/passwd', 'javascript:alert(1)', 'http://ada:secret@desk', 'two words', 'http://'])(
  '%s is none',
  (typed) => {
    expect(hostAddress(typed)).toBeUndefined();
  },
);
