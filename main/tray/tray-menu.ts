import type { MenuItemConstructorOptions } from 'electron';
import { DESKTOP_LINK_FORMATS, type DesktopLinkFormat } from '#api/sharing/link-formats.ts';
import type { Texts } from '#main/texts/en.ts';
import { accountItems } from './account-items.ts';
import { type CaptureActions, captureItems, dropWindowItem, refusedShortcutItems } from './capture-items.ts';
import { type FolderActions, folderItems } from './folder-items.ts';
import { hostItems } from './host-items.ts';
import { problemText } from './icon-and-tooltip.ts';
import { lanItems } from './lan-items.ts';
import { type MoreActions, moreItems } from './more-items.ts';
import { shorten } from './shorten.ts';
import type { TrayState } from './tray-state.ts';
import { failedItems, queueItems, type UploadActions } from './upload-items.ts';

/** The actions of the menu items. */
export interface TrayActions extends CaptureActions, UploadActions, FolderActions, MoreActions {
  copyAddress(): void;
  openHost(): void;
  retryService(): void;
  setLan(on: boolean): void;
  showLanCode(): void;
  uploadFiles(): void;
  /** Uploads files dropped on the icon, given by absolute path. */
  uploadDropped(paths: readonly string[]): void;
  copyRecent(key: string): void;
  /** Lets the user choose to whom on the server a picture is sent. */
  sendRecent(key: string): void;
  setLinkFormat(format: DesktopLinkFormat): void;
  open(): void;
  openSettings(): void;
  /** Does what the user chose for a click on the icon. */
  click(): void;
  /** Absent in a package without a feed of updates. */
  checkForUpdates?(): void;
  quit(): void;
}

type Items = MenuItemConstructorOptions[];

/** The tray's menu for a state. */
export function trayMenu(state: TrayState, texts: Texts, actions: TrayActions): Items {
  if (state.quit !== 'running') return quittingItems(state, texts, actions);
  const sections = [serviceItems, uploadItems, problemItems, recentItems, folderItems, appItems].map((items) =>
    items(state, texts, actions),
  );
  return sections
    .filter((items) => items.length > 0)
    .flatMap((items, index) => (index === 0 ? items : [{ type: 'separator' } as const, ...items]));
}

/** Uploads and the service take a while to end; nothing else can be started by then. */
function quittingItems({ quit }: TrayState, texts: Texts, actions: TrayActions): Items {
  if (quit === 'again') return [{ label: texts.startsAgain, enabled: false }];
  return [
    { label: texts.quitting, enabled: false },
    { label: texts.openPixdock, click: actions.open },
  ];
}

function serviceItems({ service, host, lan }: TrayState, texts: Texts, actions: TrayActions): Items {
  if (host) return hostItems(host, texts, actions);
  if (service.state === 'running')
    return [{ label: texts.copyAddress(service.linkAddress), click: actions.copyAddress }, ...lanItems({ lan }, texts, actions)];
  if (service.state !== 'down') return [{ label: texts.serviceStarting, enabled: false }];
  return [
    { label: shorten(texts.serviceDown(problemText(service.problem, texts))), enabled: false },
    { label: texts.retry, click: actions.retryService },
    ...(service.problem.code === 'port_in_use' && !lan.fixed.port ? [{ label: texts.choosePort, click: actions.open }] : []),
  ];
}

function uploadItems(state: TrayState, texts: Texts, actions: TrayActions): Items {
  return [
    ...captureItems(state, texts, actions),
    { label: texts.uploadFiles, click: actions.uploadFiles },
    dropWindowItem(texts, actions),
    ...accountItems(state, texts),
    ...queueItems(state, texts, actions),
  ];
}

function problemItems(state: TrayState, texts: Texts, actions: TrayActions): Items {
  return [...refusedShortcutItems(state, texts), ...failedItems(state, texts, actions)];
}

function recentItems({ recent, reach, linkFormat }: TrayState, texts: Texts, actions: TrayActions): Items {
  const imagesFor = (action: (key: string) => void) =>
    recent.map(({ key, name, isPrivate, icon }) => ({
      label: shorten(isPrivate ? texts.labelled(texts.onlyYou, name) : name),
      icon,
      click: () => action(key),
    }));
  const images: Items = [
    ...imagesFor(actions.copyRecent),
    { type: 'separator' },
    { label: texts.sendTo, submenu: imagesFor(actions.sendRecent) },
  ];
  const who: Items =
    reach && recent.some(({ isPrivate }) => !isPrivate)
      ? [{ label: texts.opens(reach, recent.filter(({ isPrivate }) => !isPrivate).length), enabled: false }, { type: 'separator' }]
      : [];
  const none = [{ label: texts.noUploads, enabled: false }];
  const formats = DESKTOP_LINK_FORMATS.map((format) => ({
    label: texts.linkFormats[format],
    type: 'radio' as const,
    checked: format === linkFormat,
    click: () => actions.setLinkFormat(format),
  }));
  return [
    { label: texts.recentUploads, submenu: recent.length ? [...who, ...images] : none },
    { label: texts.linkFormat, submenu: formats },
  ];
}

function appItems(state: TrayState, texts: Texts, actions: TrayActions): Items {
  return [
    { label: texts.openPixdock, click: actions.open },
    { label: texts.openSettings, click: actions.openSettings },
    moreItems(state, texts, actions),
    ...(actions.checkForUpdates ? [{ label: texts.checkForUpdates, click: actions.checkForUpdates }] : []),
    { label: texts.quit, click: actions.quit },
  ];
}
