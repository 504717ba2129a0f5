import { describe, expect, it } from 'vitest';
import { allowedAddresses, createAddressRules, isAllowListEntry, isPublic } from '#server/platform/fetching/addresses.ts';

const FORBIDDEN = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '100::1',
  'not an address',
];

describe('public addresses', () => {
  it.each(FORBIDDEN)('%s is not public', (address) => expect(isPublic(address)).toBe(false));
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) =>
    expect(isPublic(address)).toBe(true),
  );
});

describe('hosts that are addresses, in every URL notation', () => {
  const rules = createAddressRules([]);
  const never = () => Promise.reject(new Error('nothing may be resolved'));
  it.each(['http://0x7f.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://127.1/', 'http://[::ffff:7f00:1]/', 'http://[::1]/'])(
    'rejects %s',
    async (url) => {
      await expect(allowedAddresses(new URL(url).hostname, rules, never)).rejects.toMatchObject({ code: 'url_not_allowed' });
    },
  );
});

describe('host names', () => {
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));

  it('with public and private addresses resolve to the public ones only', async () => {
    const addresses = await allowedAddresses('mixed.example', createAddressRules([]), resolveTo('10.0.0.1', '8.8.8.8', '::1'));
    expect(addresses).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('with only private addresses are rejected', async () => {
    const addresses = allowedAddresses('inside.example', createAddressRules([]), resolveTo('10.0.0.1', '::ffff:127.0.0.1'));
    await expect(addresses).rejects.toMatchObject({ code: 'url_not_allowed', details: { field: 'url' } });
  });

  it("that don't resolve are reported as unreachable", async () => {
    const addresses = allowedAddresses('nowhere.example', createAddressRules([]), () => Promise.reject(new Error('ENOTFOUND')));
    await expect(addresses).rejects.toMatchObject({ code: 'url_unreachable' });
  });
});

describe("the admin's allow list", () => {
  const inside = async () => [{ address: '10.1.2.3', family: 4 as const }];

  it('allows a name, whatever it resolves to, and no other name', async () => {
    const rules = createAddressRules(['Wiki.Example']);
    expect(await allowedAddresses('wiki.example', rules, inside)).toHaveLength(1);
    await expect(allowedAddresses('other.example', rules, inside)).rejects.toMatchObject({ code: 'url_not_allowed' });
  });

  it('allows a network in both notations, and nothing outside it', () => {
    const rules = createAddressRules(['10.1.0.0/16', '::1']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '::1', '8.8.8.8'].map(rules.allowsAddress)).toEqual([true, true, true, true]);
    expect(['10.2.0.1', '127.0.0.1', '::2'].map(rules.allowsAddress)).toEqual([false, false, false]);
  });

  it.each([
    ['10.1.0.0/16', true],
    ['fd00::/8', true],
    ['192.168.1.5', true],
    ['nas.local', true],
    ['http://nas.local/', false],
    ['300.1.1.1', false],
    ['a b', false],
    ['', false],
  ])('accepts “%s”: %s', (entry, valid) => expect(isAllowListEntry(entry)).toBe(valid));
});
