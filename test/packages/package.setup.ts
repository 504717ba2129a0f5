import { test } from 'playwright/test';
import { packageFor } from './build-package.ts';

test('packages the build, with the Electron double in the place of Electron', async () => {
  test.skip(process.platform !== 'linux', 'the stand-in for Electron is a Linux program');
  await packageFor({ platform: 'linux', arch: process.arch });
});
