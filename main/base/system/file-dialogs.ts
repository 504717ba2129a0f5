import { basename, dirname, join } from 'node:path';
import { app, type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';

/** What the user chooses. Each kind is looked for where the last one was. */
export type FileKind = 'pictures' | 'watchFolder' | 'dataFolder' | 'savedPicture' | 'localCopies';

/** The folders in which the user has chosen something since the app started. Since Electron 43, every dialog would open in Downloads. */
const last = new Map<FileKind, string>();

const firstFolder = (kind: FileKind) => app.getPath(kind === 'dataFolder' ? 'home' : 'pictures');
const place = (kind: FileKind) => last.get(kind) ?? firstFolder(kind);

/** Asks for files or folders; none: the user cancelled. */
export async function askForPaths(kind: FileKind, window: BrowserWindow | undefined, given: OpenDialogOptions): Promise<string[]> {
  const options = { ...given, defaultPath: place(kind) };
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  if (filePaths[0] !== undefined) last.set(kind, dirname(filePaths[0]));
  return filePaths;
}

/** Asks where to save a file of this name; undefined: the user cancelled. */
export async function askWhereToSave(kind: FileKind, window: BrowserWindow | undefined, name: string): Promise<string | undefined> {
  const options = { defaultPath: join(place(kind), basename(name)) };
  const { canceled, filePath } = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
  if (canceled || !filePath) return undefined;
  last.set(kind, dirname(filePath));
  return filePath;
}
