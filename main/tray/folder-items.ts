import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';
import { shorten } from './shorten.ts';

/** A watch folder as the tray shows it. */
export interface FolderState {
  id: string;
  name: string;
  state: 'watching' | 'scanning' | 'waiting' | 'problem' | 'paused';
  /** Why it waits, or has a problem. */
  reason: string | undefined;
  /** Pictures that aren't uploaded yet. */
  left: number;
}

export interface FolderActions {
  /** Absent `id`: all. */
  pauseFolders(paused: boolean, id?: string): void;
  showFolders(): void;
}

export function folderItems(
  { folders }: { folders: readonly FolderState[] },
  texts: Texts,
  actions: FolderActions,
): MenuItemConstructorOptions[] {
  if (folders.length === 0) return [];
  const each = folders.map((folder) => ({
    label: shorten(texts.labelled(folder.name, stateText(folder, texts))),
    submenu: ownItems(folder, texts, actions),
  }));
  const allPaused = folders.every(({ state }) => state === 'paused');
  const all = {
    label: allPaused ? texts.resumeAllFolders : texts.pauseAllFolders,
    click: () => actions.pauseFolders(!allPaused),
  };
  const separator = { type: 'separator' as const };
  return [{ label: texts.watchFolders, submenu: [...each, separator, all, { label: texts.watchFoldersMore, click: actions.showFolders }] }];
}

function ownItems({ id, state }: FolderState, texts: Texts, actions: FolderActions): MenuItemConstructorOptions[] {
  const paused = state === 'paused';
  return [{ label: paused ? texts.resumeFolder : texts.pauseFolder, click: () => actions.pauseFolders(!paused, id) }];
}

function stateText({ state, reason, left }: FolderState, texts: Texts): string {
  if (reason !== undefined) return reason;
  if (state === 'paused') return texts.folderPaused;
  if (left > 0) return texts.folderUploading(left);
  return state === 'scanning' ? texts.folderScanning : texts.folderWatching;
}
