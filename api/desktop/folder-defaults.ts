import type { FolderOptions } from './folders.ts';

/** The options of a new watch folder. A separate file keeps schemas out of the web application. */
export const DEFAULT_FOLDER_OPTIONS: FolderOptions = {
  recursive: true,
  include: [],
  ignore: [],
  existing: false,
  album: { kind: 'none' },
  visibility: 'private',
  convert: 'original',
  review: 'upload',
  after: { kind: 'keep' },
  poll: false,
  copyLinks: false,
};
