// electron-builder's hook, before it sets Electron's fuses and signs: gives the programs of a macOS app UUIDs of their own. macOS keys the
// permission to use the local network by the UUID of an app's program (Apple's technical note 3179), so apps with Electron's would share it.
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeUuids } from './mach-uuid.mjs';

export default function afterPack({ electronPlatformName, appOutDir, packager }) {
  if (electronPlatformName !== 'darwin') return;
  const { productFilename, id } = packager.appInfo;
  const contents = join(appOutDir, `${productFilename}.app/Contents`);
  const programs = globSync('{MacOS/*,Frameworks/*.app/Contents/MacOS/*}', { cwd: contents });
  if (programs.length === 0) throw new Error(`${contents} has no programs.`);
  for (const program of programs) writeUuids(join(contents, program), `${id} ${basename(program)}`);
}
