import { test } from 'playwright/test';
import { packageForLinux } from './build-package.ts';

test('packages the build, with the Electron double in the place of Electron', async () => {
  test.skip(process.platform !== 'linux', 'the stand-in for Electron is a Linux program');
  await packageForLinux(process.arch);
});
