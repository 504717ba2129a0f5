import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute paths of the app's own files. */
export interface AppPaths {
  preload: string;
  statusPage: string;
  /** Shown at the first launch. */
  setupPage: string;
  /** Shown while another Pixdock server is joined. */
  joinedPage: string;
  dropPage: string;
  /** Of drafts. */
  editPage: string;
  /** Of pinned pictures. */
  pinPage: string;
  /** Of cards. */
  cardPage: string;
  /** Of recordings. */
  recordPage: string;
  icon: string;
  trayImages: string;
  /** The entry file of the service process. */
  serviceEntry: string;
  /** The entry file of its decoders (macOS and Windows only). */
  decoderEntry: string;
  webRoot: string;
  /** The Node that the service runs on (Linux only). */
  node: string;
}

interface Place {
  isPackaged: boolean;
  appPath: string;
  resourcesPath: string;
}

/** In a package, the service is a folder outside the archive: its native modules and its Node must be real files. */
export function appPaths({ isPackaged, appPath, resourcesPath }: Place): AppPaths {
  const service = isPackaged ? join(resourcesPath, 'service') : appPath;
  return {
    preload: join(appPath, 'dist/preload/preload.cjs'),
    statusPage: join(appPath, 'resources/status.html'),
    setupPage: join(appPath, 'resources/setup.html'),
    joinedPage: join(appPath, 'resources/joined.html'),
    dropPage: join(appPath, 'resources/drop.html'),
    editPage: join(appPath, 'resources/edit.html'),
    pinPage: join(appPath, 'resources/pin.html'),
    cardPage: join(appPath, 'resources/card.html'),
    recordPage: join(appPath, 'resources/record.html'),
    icon: join(appPath, 'resources/icon.png'),
    trayImages: join(appPath, 'resources/tray'),
    serviceEntry: join(service, 'dist/server/child.js'),
    decoderEntry: join(service, 'dist/server/decoder.js'),
    webRoot: join(service, 'dist/renderer'),
    node: isPackaged ? join(resourcesPath, 'node/node') : developmentNode(appPath),
  };
}

/** The Node from the npm packages; on processors without one, that on the path. */
function developmentNode(root: string) {
  const shipped = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  return existsSync(shipped) ? shipped : 'node';
}
