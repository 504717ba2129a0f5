import type { LanStatus } from '#api/desktop/lan.ts';
import type { TrayState } from '#main/tray/tray-state.ts';

const QUIET_LAN: LanStatus = {
  on: false,
  fixed: { host: false, port: false },
  port: 7410,
  reach: 'off',
  reachedBy: null,
  linkAddress: 'http://desk.local:7410',
  choices: [],
  elsewhere: false,
  missing: null,
  announced: null,
  problem: null,
  announceProblem: null,
};
/** Nothing to report. */
export const quiet: TrayState = {
  quit: 'running',
  service: { state: 'running', url: 'http://127.0.0.1:7410', linkAddress: 'http://desk.local:7410' },
  lan: QUIET_LAN,
  host: undefined,
  account: { name: 'ada', missing: false },
  uploads: { drafts: 0, left: 0, isPaused: false, isWaiting: false, reason: undefined, percent: undefined, failed: [], failedCount: 0 },
  startAtLogin: 'off',
  appearance: { theme: 'system', language: 'system' },
  recent: [],
  reach: undefined,
  folders: [],
  linkFormat: 'url',
  captureModes: ['region'],
  captureDelay: 0,
  recording: 'idle',
  recordingTargets: ['region', 'window', 'screen'],
  uploadsAtOnce: true,
  hasCards: false,
  pins: 0,
  readsText: true,
  shortcuts: { upload: { keys: 'Alt+U', state: 'active' }, capture: { keys: null, state: 'none' }, record: { keys: null, state: 'none' } },
};
export const down: TrayState['service'] = { state: 'down', problem: { code: 'port_in_use', detail: 'Port 7410 is taken.' }, retryAt: null };
export const failing = { ...quiet.uploads, failed: [{ id: '1', name: 'a.png', reason: 'too large' }], failedCount: 1 };
export const uploading = { ...quiet.uploads, left: 2 };
