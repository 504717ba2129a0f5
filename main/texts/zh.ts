import type { ErrorCode } from '#api/errors.ts';
import { errors, errorsOutsidePage } from '#texts/zh/errors.ts';
import { account } from '#texts/zh/main/account.ts';
import { capture } from '#texts/zh/main/capture.ts';
import { data } from '#texts/zh/main/data.ts';
import { folders } from '#texts/zh/main/folders.ts';
import { joining } from '#texts/zh/main/joining.ts';
import { lan } from '#texts/zh/main/lan.ts';
import { notices } from '#texts/zh/main/notices.ts';
import { startup } from '#texts/zh/main/startup.ts';
import { tray } from '#texts/zh/main/tray.ts';
import { updates } from '#texts/zh/main/updates.ts';
import { uploads } from '#texts/zh/main/uploads.ts';
import { windows } from '#texts/zh/main/windows.ts';
import type { Texts } from './en.ts';
import { merge } from './merge.ts';

export const zh: Texts = merge(account, capture, data, folders, joining, lan, notices, startup, tray, updates, uploads, windows, {
  refusals: Object.fromEntries(
    Object.entries(errors).map(([code, { what, next }]) => [code, errorsOutsidePage[code as ErrorCode] ?? what + next]),
  ),
});
