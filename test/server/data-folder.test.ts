import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startTestService } from '#test/helpers/service/service.ts';

test.skipIf(process.platform === 'win32')('a data folder that others could read is closed to them when the service starts', async () => {
  const dataDir = temporaryFolder();
  await using first = await startTestService({ dataDir });
  await first.stop();
  await chmod(dataDir, 0o755);
  await chmod(join(dataDir, 'pixdock.db'), 0o644);
  await using _again = await startTestService({ dataDir });
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});
