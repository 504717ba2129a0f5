import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { expectToEndWithParent, fileOf } from '#test/helpers/programs/killed-parent.ts';

const REGIONS = `import { grimAndSlurp, program } from ${fileOf('main/capture/screen/programs.ts')};`;
const CLIPBOARD = `import { waylandClipboard } from ${fileOf('main/capture/wayland-clipboard.ts')}; const clipboard = waylandClipboard({});`;
const LAN = `import { run } from ${fileOf('main/lan/run.ts')};`;

describe.runIf(process.platform === 'linux')('programs that hang end with the app, even when it is killed', () => {
  it.each([
    ['maim', `${REGIONS} program('maim', (file) => [file]).capture('/tmp');`],
    ['slurp', `${REGIONS} grimAndSlurp.capture('/tmp');`],
    ['wl-paste', `${CLIPBOARD} clipboard.read();`],
    ['wl-copy', `${CLIPBOARD} clipboard.writeText('text');`],
    ['ss', `${LAN} run('ss', []);`],
  ])('%s', async (name, call) => {
    const bin = temporaryFolder();
    const started = join(bin, 'pid');
    // The input is held open, as by a program that waits for the desktop.
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\ntrap '' TERM PIPE\necho $$ > ${started}.new && mv ${started}.new ${started}\nwhile :; do sleep 1; done\n`,
    );
    chmodSync(join(bin, name), 0o755);
    await expectToEndWithParent(
      `import { existsSync, readFileSync } from 'node:fs';
       ${call}
       const timer = setInterval(() => {
         if (!existsSync('${started}')) return;
         clearInterval(timer);
         process.send(Number(readFileSync('${started}', 'utf8')));
       }, 20);`,
      { PATH: `${bin}:${process.env.PATH}` },
    );
  });
});
