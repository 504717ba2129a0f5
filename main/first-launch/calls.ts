import type { BrowserWindow } from 'electron';
import type { ChosenFolder, Hosting, SetupState } from '#api/desktop/setup.ts';
import type { RoleStore } from '#main/base/role.ts';
import { askForPaths } from '#main/base/system/file-dialogs.ts';
import type { Ipc } from '#main/ipc.ts';
import type { Texts } from '#main/texts/en.ts';
import { checkDataFolder, requireUsable } from './data-folder.ts';

interface Parts {
  roles: Pick<RoleStore, 'usualDataDir' | 'hasData'>;
  preferences(): Pick<SetupState, 'language' | 'lan'>;
  texts(): Texts;
  /** This computer's name. */
  computer: string;
  screenshots(): Promise<string | undefined>;
  window: BrowserWindow;
  onHost(hosting: Hosting): void;
}

/** Handles the calls from the first page, except those about joining. */
export function handleSetupCalls(ipc: Ipc, { roles, preferences, texts, computer, screenshots, window, onHost }: Parts): void {
  ipc.handle({
    getSetup: async () => ({
      language: preferences().language,
      lan: preferences().lan,
      computer,
      dataDir: roles.usualDataDir,
      hasData: roles.hasData(),
      screenshots: (await screenshots()) ?? null,
    }),
    async chooseDataFolder(purpose): Promise<ChosenFolder | null> {
      const title = purpose === 'new' ? texts().chooseNewDataFolder : texts().chooseDataFolder;
      const [path] = await askForPaths('dataFolder', window, { title, properties: ['openDirectory', 'createDirectory'] });
      return path === undefined ? null : checkDataFolder(path, purpose);
    },
    async hostHere(hosting) {
      if (hosting.dataDir === null) await requireUsable(roles.usualDataDir);
      onHost(hosting);
    },
  });
}
