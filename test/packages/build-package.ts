import { rmSync } from 'node:fs';
import { RELEASE, STAND_INS, type Target, UNPACKED_APP } from './places.ts';
import { writeAppImageTools, writeElectronStandIn, writeFpmStandIn } from './stand-in.ts';

interface Options {
  formats: readonly string[];
  electronDist: string;
  output: string;
  editPrograms: boolean;
}

/** Packages `dist/` as `npm run package` does, with stand-ins for Electron and the tools: a deb, an rpm and an AppImage for Linux, else only the unpacked package. */
export async function packageFor(target: Target): Promise<void> {
  rmSync(UNPACKED_APP, { recursive: true, force: true });
  writeElectronStandIn(STAND_INS.electron, target);
  writeFpmStandIn(STAND_INS.fpm);
  process.env.CUSTOM_FPM_PATH = STAND_INS.fpm;
  const script = await import('../../scripts/package/build-package.mjs' as string);
  const { buildPackage } = script as { buildPackage(target: Target, options: Options): void };
  writeAppImageTools(STAND_INS.appImageTools);
  process.env.APPIMAGE_TOOLS_PATH = STAND_INS.appImageTools;
  const formats = target.platform === 'linux' ? ['deb', 'rpm', 'AppImage'] : ['dir'];
  buildPackage(target, { formats, electronDist: STAND_INS.electron, output: RELEASE, editPrograms: false });
}
