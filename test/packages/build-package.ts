import { RELEASE, STAND_INS } from './places.ts';
import { writeElectronStandIn, writeFpmStandIn } from './stand-in.ts';

interface Target {
  platform: string;
  arch: string;
}

interface Options {
  formats: readonly string[];
  electronDist: string;
  output: string;
}

/** Packages `dist/` for Linux as `npm run package -- deb` does, with the stand-ins for Electron and fpm. */
export async function packageForLinux(arch: string): Promise<void> {
  writeElectronStandIn(STAND_INS.electron);
  writeFpmStandIn(STAND_INS.fpm);
  process.env.CUSTOM_FPM_PATH = STAND_INS.fpm;
  const script = await import('../../scripts/package/build-package.mjs' as string);
  const { buildPackage } = script as { buildPackage(target: Target, options: Options): void };
  buildPackage({ platform: 'linux', arch }, { formats: ['deb'], electronDist: STAND_INS.electron, output: RELEASE });
}
