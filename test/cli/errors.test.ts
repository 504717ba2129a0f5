import { expect, test } from 'vitest';
import { NetworkError } from '#api/client.ts';
import { describeError } from '#cli/errors.ts';

const unreachable = new NetworkError('Could not reach http://192.168.1.20:7410: connect EHOSTUNREACH', {
  cause: Object.assign(new Error('connect EHOSTUNREACH'), { code: 'EHOSTUNREACH' }),
});

test('a host without a route may be one that macOS keeps the terminal from', () => {
  const reason = 'Could not reach http://192.168.1.20:7410: there’s no route to that host. Are both computers on the same network?';
  expect(describeError(unreachable, 'linux')).toBe(reason);
  expect(describeError(unreachable, 'darwin')).toBe(
    `${reason} macOS may also be keeping your terminal off the local network: see System Settings → Privacy & Security → Local Network.`,
  );
});
