import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { launchProgram } from './launch.ts';

it('installs no Electron for a worker, but names the command that does', () => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => launchProgram({ kind: 'real' }, temporaryFolder())).toThrow('Run `npm run test:electron`');
});
