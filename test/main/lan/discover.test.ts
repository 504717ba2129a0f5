import { expect, test } from 'vitest';
import { pixdocksAmong } from '#main/lan/discover.ts';

const service = { name: 'Pixdock on desk', host: 'pixdock.local', port: 7410, addresses: ['fe80::1', '192.168.1.5'] };
const txt = { app: 'pixdock', id: 'd1', path: '/' };

test('other services, and those without an id, are left out', () => {
  const printer = { ...service, txt: { path: '/' } };
  expect(pixdocksAmong([printer, { ...service, txt: undefined }, { ...service, txt: { app: 'pixdock' } }])).toEqual([]);
});

test('a Pixdock on two networks appears once, its IP addresses before its name', () => {
  const other = { ...service, addresses: ['10.0.0.5'], txt };
  expect(pixdocksAmong([{ ...service, txt }, other])).toEqual([
    { id: 'd1', name: 'Pixdock on desk', urls: ['http://192.168.1.5:7410', 'http://10.0.0.5:7410', 'http://pixdock.local:7410'] },
  ]);
});

test('a service of another host never adds its addresses', () => {
  const impostor = { ...service, host: 'mallory.local', addresses: ['10.6.6.6'], txt };
  expect(pixdocksAmong([{ ...service, txt }, impostor]).map(({ urls }) => urls[0])).toEqual([
    'http://192.168.1.5:7410',
    'http://10.6.6.6:7410',
  ]);
});

test('a final dot of the host name is removed, and the list is sorted by name', () => {
  const a = { ...service, name: 'A', host: 'a.local.', addresses: [], txt: { ...txt, id: 'a' } };
  const found = pixdocksAmong([{ ...service, txt }, a]);
  expect(found.map(({ name }) => name)).toEqual(['A', 'Pixdock on desk']);
  expect(found[0]?.urls).toEqual(['http://a.local:7410']);
});

test.each(['a b', 'user@host', 'desk.local/path', '1.2.3.4.5', '', '[::1]'])('the host %j is left out', (host) => {
  expect(pixdocksAmong([{ ...service, host, txt }])[0]?.urls).toEqual(['http://192.168.1.5:7410']);
  expect(pixdocksAmong([{ ...service, host, addresses: [], txt }])).toEqual([]);
});

test('a flood of services is cut off', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ ...service, txt: { ...txt, id: `d${n}` } }));
  expect(pixdocksAmong(many)).toHaveLength(50);
});
