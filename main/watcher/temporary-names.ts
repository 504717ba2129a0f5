import { posix } from 'node:path';

/** Names that programs give a file while they write it: browsers, Syncthing, rsync, office programs, editors. */
const TEMPORARY = [
  /\.(tmp|temp|part|partial|crdownload|download|opdownload|!ut|filepart)$/i,
  /^~\$/,
  /^\.?~/,
  /~$/,
  /^\.#/,
  /^#.*#$/,
  /^\.syncthing\./i,
];

/** Whether a file is still being written under a temporary name. It is taken once it is renamed. */
export function isTemporary(relPath: string): boolean {
  const name = posix.basename(relPath);
  return TEMPORARY.some((pattern) => pattern.test(name));
}
