import { spawnSync } from 'node:child_process';

/** Throws an error that says how to install rpmbuild, where a build needs it and this computer lacks it. fpm would report it last of all. */
export function requireRpmbuild({ platform }, { formats, options }) {
  const makesRpm = formats.length === 0 ? !options.includes('--dir') : formats.includes('rpm');
  if (platform !== 'linux' || !makesRpm || !spawnSync('rpmbuild', ['--version']).error) return;
  throw new Error(
    'The rpm needs rpmbuild, which isn’t installed. Install the package "rpm" (Debian, Ubuntu, macOS) or "rpm-build" (Fedora, openSUSE), or leave it out: npm run package -- --linux AppImage deb tar.gz',
  );
}
