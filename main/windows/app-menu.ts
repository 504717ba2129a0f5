import { Menu } from 'electron';

/** macOS has copy, paste and quit in the application's menu; elsewhere the window needs none. */
export function setupAppMenu() {
  const roles = ['appMenu', 'editMenu', 'viewMenu', 'windowMenu'] as const;
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.buildFromTemplate(roles.map((role) => ({ role }))) : null);
}
