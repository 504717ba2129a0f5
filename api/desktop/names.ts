// The names of all calls and events between the desktop app's pages and main. A separate file keeps schemas out of the
// preload script, which builds `window.pixdock` from these lists.

export const CALL_NAMES = [
  'getVersion',
  'copyText',
  'uploadPaths',
  'retryUpload',
  'discardUpload',
  'getRecentUploads',
  'getPreferences',
  'setPreferences',
  'getEditorsStatus',
  'getAccounts',
  'getServiceStatus',
  'retryService',
  'getServiceLog',
  'openLogFolder',
] as const;
export type DesktopCall = (typeof CALL_NAMES)[number];

export const EVENT_NAMES = ['uploadEvent', 'serviceStatus'] as const;
export type DesktopEvent = (typeof EVENT_NAMES)[number];
