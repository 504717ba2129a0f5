import type { Texts } from '#main/texts/en.ts';
import { hostSentence } from './host-items.ts';
import { hasLanProblem } from './lan-items.ts';
import type { TrayState } from './tray-state.ts';
import { uploadLine } from './upload-items.ts';

export const TRAY_IMAGES = ['idle', 'uploading', 'paused', 'problem'] as const;
export type TrayImage = (typeof TRAY_IMAGES)[number];

/** The tray's icon for a state. */
export function trayImage({ service, host, lan, account, uploads }: TrayState): TrayImage {
  if (service.state === 'down' || host?.state === 'revoked' || account.missing || hasLanProblem(lan) || uploads.failedCount > 0)
    return 'problem';
  if (uploads.isPaused) return 'paused';
  return uploads.left > 0 ? 'uploading' : 'idle';
}

/** The tray's tooltip. */
export function trayTooltip({ quit, service, host, account, uploads }: TrayState, texts: Texts): string {
  if (quit !== 'running') return `Pixdock: ${quit === 'again' ? texts.startsAgain : texts.quitting}`;
  if (service.state === 'down') return texts.serviceDown(problemText(service.problem, texts));
  if (host && host.state !== 'ready') return `Pixdock: ${hostSentence(host, texts)}`;
  if (account.missing) return `Pixdock: ${texts.accountMissingLabel}`;
  if (uploads.failedCount > 0) return `Pixdock: ${texts.notUploaded(uploads.failedCount)}`;
  const line = uploadLine(uploads, texts);
  const { isPaused, isWaiting, percent } = uploads;
  const percentage = isPaused || isWaiting || percent === undefined ? '' : ` ${percent} %`;
  return line ? `Pixdock: ${line}${percentage}` : 'Pixdock';
}

/** Why the service is down. */
export function problemText({ code, detail }: { code: string; detail: string }, texts: Texts) {
  return texts.problems[code] ?? detail;
}
