import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What electron-builder has NSIS define for the portable program, which it makes from a folder with a program in it. */
function definesOfPortable(): string[] {
  const folder = temporaryFolder();
  const write = (path: string, content: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: 0o755 });
  };
  write('app/package.json', readFileSync(join(ROOT, 'package.json'), 'utf8'));
  write('unpacked/Pixdock.exe', 'a program');
  write('unpacked/resources/app.asar', 'its archive');
  write('plugins/x86-unicode/none', '');
  write('nsis/elevate.exe', '');
  for (const system of ['linux', 'mac'])
    write(`nsis/${system}/makensis`, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\ncat > /dev/null\n`);
  write('7za', '#!/bin/sh\nfor argument in "$@"; do case $argument in *.7z | *.zip) : > "$argument" ;; esac; done\n');
  const configuration = {
    extends: join(ROOT, 'electron-builder.yml'),
    electronVersion: '45.0.0',
    directories: { app: join(folder, 'app'), output: join(folder, 'release') },
  };
  write('electron-builder.json', JSON.stringify(configuration));
  const options = ['--windows', 'portable', '--x64', '--publish', 'never', '--prepackaged', join(folder, 'unpacked')];
  execFileSync(
    process.execPath,
    [join(ROOT, 'node_modules/electron-builder/cli.js'), ...options, '--config', join(folder, 'electron-builder.json')],
    {
      cwd: ROOT,
      stdio: 'pipe',
      env: {
        ...process.env,
        ELECTRON_BUILDER_NSIS_DIR: join(folder, 'nsis'),
        ELECTRON_BUILDER_NSIS_RESOURCES_DIR: folder,
        ELECTRON_BUILDER_7ZIP_PATH: join(folder, '7za'),
      },
    },
  );
  return readFileSync(join(folder, 'arguments'), 'utf8').match(/(?<=^-D)\w+/gm) ?? [];
}

test.runIf(process.platform !== 'win32')('each start of the portable program unpacks into a folder of its own', () => {
  const defines = definesOfPortable();
  expect(defines).toContain('APP_64');
  // Without it, the folder is in NSIS's own, which every start creates. With it, a start first removes the files of one that runs.
  expect(defines).not.toContain('UNPACK_DIR_NAME');
});
