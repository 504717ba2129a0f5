import type { ErrorCode } from '#api/errors.ts';
import { account } from '#texts/en/main/account.ts';
import { capture } from '#texts/en/main/capture.ts';
import { data } from '#texts/en/main/data.ts';
import { folders } from '#texts/en/main/folders.ts';
import { joining } from '#texts/en/main/joining.ts';
import { lan } from '#texts/en/main/lan.ts';
import { notices } from '#texts/en/main/notices.ts';
import { startup } from '#texts/en/main/startup.ts';
import { tray } from '#texts/en/main/tray.ts';
import { updates } from '#texts/en/main/updates.ts';
import { uploads } from '#texts/en/main/uploads.ts';
import { windows } from '#texts/en/main/windows.ts';
import { merge } from './merge.ts';

/** Texts of the tray, notifications and dialogs. */
export const en = merge(
  account,
  capture,
  data,
  folders,
  joining,
  lan,
  notices,
  startup,
  tray,
  updates,
  uploads,
  windows,
  /** Replace the service's own messages, which are in English, by error code. Codes missing here show the service's message. */
  { refusals: {} as Partial<Record<ErrorCode, string>> },
);

export type Texts = typeof en;
