import type { ErrorCode } from '#api/errors.ts';
import { errors, errorsOutsidePage } from '#texts/zh/errors.ts';
import { account, data, joining, lan, reach, startup, updates, windows } from '#texts/zh/main/app.ts';
import { recording } from '#texts/zh/main/recording.ts';
import { capture, cards, folders, notices, tray, uploads } from '#texts/zh/main/uploads.ts';
import type { Texts } from './en.ts';
import { merge } from './merge.ts';

export const zh: Texts = merge(
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
  {
    refusals: Object.fromEntries(
      Object.entries(errors).map(([code, { what, next }]) => [code, errorsOutsidePage[code as ErrorCode] ?? what + next]),
    ),
  },
);
