// Installs Electron's program, which its npm package doesn't contain: downloads it into Electron's own cache, then runs the package's installer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { downloadArtifact } from '@electron/get';
import envPaths from 'env-paths';
import { ResumingDownloader } from './download.mjs';
import { explainFailure, NotAvailable, UnpackingError, WrongChecksum } from './failures.mjs';
import { packageFolder } from './installed.mjs';

/**
 * Installs Electron's program into the folder of its package, and shows the progress. Returns undefined, or why it failed, in several lines.
 * @param signal stops it; what has arrived is kept for the next time
 * @param stallMs how long the connection may stand still
 */
export async function installElectron({ folder = packageFolder(), signal, stallMs } = {}) {
  const { version } = readJson(folder, 'package.json');
  // As Electron's tools choose it, electron-builder among them.
  const cacheRoot = process.env.electron_config_cache || envPaths('electron', { suffix: '' }).cache;
  const downloader = new ResumingDownloader({ folder: cacheRoot, signal, stallMs });
  try {
    await download({ version, checksums: readJson(folder, 'checksums.json'), cacheRoot, downloader });
    signal?.throwIfAborted();
    await unpack(folder, cacheRoot, signal);
  } catch (error) {
    if (signal?.aborted) return 'Stopped. The next start continues the download.';
    return explainFailure(error, { url: downloader.url, received: downloader.received, version });
  }
}

const readJson = (folder, file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

async function download({ version, checksums, cacheRoot, downloader }) {
  const { platform, arch } = process;
  const isAvailable = `electron-v${version}-${platform}-${arch}.zip` in checksums;
  if (!isAvailable) throw new NotAvailable(`Electron ${version} doesn't exist for ${platform}-${arch}.`);
  mkdirSync(cacheRoot, { recursive: true });
  const details = { version, artifactName: 'electron', platform, arch, checksums, cacheRoot, tempDirectory: cacheRoot, downloader };
  for (let attempt = 1; ; attempt++) {
    try {
      return await downloadArtifact(details);
    } catch (error) {
      // Another start has finished the same download, and moved it into the cache.
      if (error.code === 'ENOENT' && error.syscall === 'rename' && attempt === 1) continue;
      if (error.constructor.name !== 'ChecksumMismatchError') throw error;
      if (!downloader.hasResumed || attempt === 2) throw new WrongChecksum();
      console.error('The parts of the download are from different files. Starting again from the beginning.');
    }
  }
}

/** Electron's own installer finds the file in the cache, and checks it again. */
async function unpack(folder, cacheRoot, signal) {
  console.error('Unpacking Electron…');
  const { platform, arch } = process;
  // On an Apple processor, the installer would replace x64 with arm64, for which npm has installed no native modules.
  const choices = { ELECTRON_INSTALL_PLATFORM: platform, ELECTRON_INSTALL_ARCH: arch, npm_config_arch: arch };
  const child = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...choices, electron_config_cache: cacheRoot },
    signal,
  });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new UnpackingError(output);
}
