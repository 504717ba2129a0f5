import type { MenuItemConstructorOptions, NativeImage } from 'electron';
import type { ServiceStatus } from '#api/desktop/service.ts';
import { DESKTOP_LINK_FORMATS, type DesktopLinkFormat } from '#api/link-formats.ts';
import type { Texts } from '#main/texts/en.ts';
import { type AccountState, accountItems } from './account-items.ts';

/** The state that the tray shows, as plain values. */
export interface TrayState {
  service: ServiceStatus;
  account: AccountState;
  /** Number of uploads that wait or run. */
  uploading: number;
  failed: readonly { id: string; name: string; reason: string }[];
  recent: readonly { key: string; name: string; icon?: NativeImage }[];
  linkFormat: DesktopLinkFormat;
  shortcut: string | null;
  shortcutActive: boolean;
}

/** The actions of the menu items. */
export interface TrayActions {
  copyAddress(): void;
  retryService(): void;
  uploadClipboard(): void;
  uploadFiles(): void;
  retryUpload(id: string): void;
  retryAllUploads(): void;
  discardUpload(id: string): void;
  copyRecent(key: string): void;
  setLinkFormat(format: DesktopLinkFormat): void;
  open(): void;
  quit(): void;
}

type Items = MenuItemConstructorOptions[];

/** Maximum characters of a label: menus don't wrap. */
const LABEL_LIMIT = 80;

/** The tray's menu for a state. */
export function trayMenu(state: TrayState, texts: Texts, actions: TrayActions): Items {
  const sections = [serviceItems, uploadItems, problemItems, recentItems, appItems].map((items) => items(state, texts, actions));
  return sections
    .filter((items) => items.length > 0)
    .flatMap((items, index) => (index === 0 ? items : [{ type: 'separator' } as const, ...items]));
}

/** The tray's icon for a state. */
export function trayImage({ service, account, uploading, failed }: TrayState): 'idle' | 'uploading' | 'problem' {
  if (service.state === 'down' || account.missing || failed.length > 0) return 'problem';
  return uploading > 0 ? 'uploading' : 'idle';
}

/** The tray's tooltip. */
export function trayTooltip({ service, account, uploading, failed }: TrayState, texts: Texts): string {
  if (service.state === 'down') return texts.serviceDown(problemText(service.problem, texts));
  if (account.missing) return `Pixdock: ${texts.accountMissingLabel}`;
  if (failed.length > 0) return `Pixdock: ${texts.notUploaded(failed.length)}`;
  return uploading > 0 ? `Pixdock: ${texts.uploading(uploading)}` : 'Pixdock';
}

function problemText({ code, detail }: { code: string; detail: string }, texts: Texts) {
  return texts.problems[code] ?? detail;
}

function serviceItems({ service }: TrayState, texts: Texts, actions: TrayActions): Items {
  if (service.state === 'running') return [{ label: texts.copyAddress(service.linkAddress), click: actions.copyAddress }];
  if (service.state !== 'down') return [{ label: texts.serviceStarting, enabled: false }];
  return [
    { label: shorten(texts.serviceDown(problemText(service.problem, texts))), enabled: false },
    { label: texts.retry, click: actions.retryService },
  ];
}

function uploadItems(state: TrayState, texts: Texts, actions: TrayActions): Items {
  const { uploading, shortcut, shortcutActive } = state;
  const accelerator = shortcut && shortcutActive ? { accelerator: shortcut, registerAccelerator: false } : {};
  return [
    { label: texts.uploadClipboard, click: actions.uploadClipboard, ...accelerator },
    { label: texts.uploadFiles, click: actions.uploadFiles },
    ...(uploading > 0 ? [{ label: texts.uploading(uploading), enabled: false }] : []),
    ...accountItems(state, texts),
  ];
}

function problemItems({ failed, shortcut, shortcutActive }: TrayState, texts: Texts, actions: TrayActions): Items {
  const items: Items = [];
  if (shortcut && !shortcutActive) items.push({ label: texts.shortcutTaken(shortcut), enabled: false });
  if (failed.length === 0) return items;
  const each = failed.map(({ id, name, reason }) => ({
    label: shorten(`${name}: ${reason}`),
    submenu: [
      { label: texts.retry, click: () => actions.retryUpload(id) },
      { label: texts.discard, click: () => actions.discardUpload(id) },
    ],
  }));
  const all = { label: texts.retryAll, click: actions.retryAllUploads };
  return [...items, { label: texts.notUploaded(failed.length), submenu: [...each, { type: 'separator' }, all] }];
}

function recentItems({ recent, linkFormat }: TrayState, texts: Texts, actions: TrayActions): Items {
  const images = recent.map(({ key, name, icon }) => ({ label: shorten(name), icon, click: () => actions.copyRecent(key) }));
  const none = [{ label: texts.noUploads, enabled: false }];
  const formats = DESKTOP_LINK_FORMATS.map((format) => ({
    label: texts.linkFormats[format],
    type: 'radio' as const,
    checked: format === linkFormat,
    click: () => actions.setLinkFormat(format),
  }));
  return [
    { label: texts.recentUploads, submenu: images.length ? images : none },
    { label: texts.linkFormat, submenu: formats },
  ];
}

function appItems(_state: TrayState, texts: Texts, actions: TrayActions): Items {
  return [
    { label: texts.openPixdock, click: actions.open },
    { label: texts.quit, click: actions.quit },
  ];
}

/** Shortens in the middle, since names often differ at the end. Ampersands are doubled: one would mark an access key. */
function shorten(label: string) {
  const characters = [...label];
  const half = Math.floor(LABEL_LIMIT / 2);
  const short = characters.length <= LABEL_LIMIT ? label : [...characters.slice(0, half), '…', ...characters.slice(-half + 1)].join('');
  return short.replaceAll('&', '&&');
}
