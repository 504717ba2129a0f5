// The names of all calls and events between the desktop app's pages and main. A separate file keeps schemas out of the
// preload script, which builds `window.pixdock` from these lists.

export const CALL_NAMES = [
  'getVersion',
  'copyText',
  'uploadPaths',
  'uploadPasted',
  'getUploadStatus',
  'getUploads',
  'changeUploads',
  'pauseUploads',
  'getPreferences',
  'setPreferences',
  'getEditorsStatus',
  'getAccounts',
  'getLanStatus',
  'getLanHelp',
  'chooseLanAddress',
  'getPortChange',
  'choosePort',
  'getServiceStatus',
  'retryService',
  'getServiceLog',
  'openLogFolder',
  'getFolders',
  'chooseFolder',
  'previewFolder',
  'addFolder',
  'changeFolder',
  'pauseFolders',
  'removeFolder',
  'repointFolder',
  'rescanFolder',
  'getFolderEvents',
  'offerScreenshots',
] as const;
export type DesktopCall = (typeof CALL_NAMES)[number];

export const EVENT_NAMES = ['uploadStatus', 'lanStatus', 'serviceStatus', 'folders'] as const;
export type DesktopEvent = (typeof EVENT_NAMES)[number];
