import type { ErrorCode } from '#api/errors.ts';
import { account, data, joining, lan, reach, startup, updates, windows } from '#texts/en/main/app.ts';
import { recording } from '#texts/en/main/recording.ts';
import { capture, cards, folders, notices, tray, uploads } from '#texts/en/main/uploads.ts';
import { merge } from './merge.ts';

/** Texts of the tray, notifications and dialogs. */
export const en = merge(
  account,
  capture,
  cards,
  data,
  folders,
  joining,
  lan,
  notices,
  reach,
  recording,
  startup,
  tray,
  updates,
  uploads,
  windows,
  /** Replace the service's own messages, which are in English, by error code. Codes missing here show the service's message. */
  { refusals: {} as Partial<Record<ErrorCode, string>> },
);

export type Texts = typeof en;
