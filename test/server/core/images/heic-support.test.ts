import { expect, it, vi } from 'vitest';
import { createHeicSupport } from '#server/core/images/heic-support.ts';
import { BusyError } from '#server/platform/base/errors.ts';

const logging = () => ({ error: vi.fn(), warn: vi.fn() });

it.each([true, false])('keeps the result of the test: %s', async (works) => {
  const probe = vi.fn(async () => works);
  const heic = createHeicSupport(logging(), probe);
  expect([await heic.isSupported(), await heic.isSupported()]).toEqual([works, works]);
  expect(probe).toHaveBeenCalledOnce();
});

it('tests again after a test that could not run, and lets uploads through meanwhile', async () => {
  const log = logging();
  const probe = vi.fn(async () => false).mockRejectedValueOnce(new BusyError());
  const heic = createHeicSupport(log, probe);
  expect(await heic.isSupported()).toBe(true);
  expect(log.error).toHaveBeenCalledWith({ err: expect.any(BusyError) }, expect.any(String));
  expect(await heic.isSupported()).toBe(false);
  expect(await heic.isSupported()).toBe(false);
  expect(probe).toHaveBeenCalledTimes(2);
});
