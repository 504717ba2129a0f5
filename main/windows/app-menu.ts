import { Menu } from 'electron';

/** On macOS the application menu provides copy, paste and quit; elsewhere the window needs none. */
export function setupAppMenu() {
  const roles = ['appMenu', 'editMenu', 'viewMenu', 'windowMenu'] as const;
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate(roles.map((role) => ({ role }))) : null);
}
