import { test } from 'playwright/test';
import { testLinuxPackage } from './linux-package.ts';

test.skip(process.platform !== 'linux', 'it is packaged on Linux only');

testLinuxPackage(process.arch);
