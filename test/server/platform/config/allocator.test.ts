import { expect, it } from 'vitest';
import { decoderEnv } from '#server/platform/config/allocator.ts';

it('passes on to decoders what the system needs, and nothing that could be a secret', () => {
  const env = decoderEnv({ TMPDIR: '/var/tmp', PIXDOCK_SECRET: 's3', HOME: '/home/ada', tmpdir: '/other' }, 'linux');
  expect(env).toMatchObject({ TMPDIR: '/var/tmp', MALLOC_ARENA_MAX: '1' });
  expect(Object.keys(env).filter((name) => /secret|home|tmpdir/i.test(name))).toEqual(['TMPDIR']);
});

it('finds the variables of Windows in any case: Git Bash writes SYSTEMROOT', () => {
  const env = decoderEnv({ SYSTEMROOT: 'C:\\Windows', temp: 'C:\\Temp', Path: 'C:\\bin' }, 'win32');
  expect(env).toMatchObject({ SYSTEMROOT: 'C:\\Windows', temp: 'C:\\Temp' });
  expect(env).not.toHaveProperty('Path');
});
