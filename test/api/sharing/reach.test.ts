import { expect, test } from 'vitest';
import { reachOf } from '#api/sharing/reach.ts';

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
