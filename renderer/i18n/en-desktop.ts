/** Settings that only the desktop app has. */
export const computer = {
  title: 'This computer',
  onlyInApp: 'These settings are only available in the desktop app.',
  stored: 'These settings apply to the app on this computer.',
  shortcut: 'Shortcut',
  shortcutHint: 'Uploads the clipboard from any program and replaces it with the link.',
  pressKeys: 'Press the keys…',
  noShortcut: 'None',
  removeShortcut: 'Remove',
  shortcutTaken:
    'Another program or your desktop already uses this shortcut. Choose another one, or have your desktop run the command below.',
  command: 'Where shortcuts don’t work (Wayland), have your desktop run this command:',
  copyCommand: 'Copy command',
  notifications: 'Notifications',
  notificationsHint: 'Shown after each upload. Failures are always shown.',
  editors: 'Uploads from editors',
  editorsHint:
    'Typora, Obsidian and other editors that support PicGo upload through this address. Only programs on this computer can use it.',
  copyEditors: 'Copy address for editors',
  portOfUploader: 'Another uploader, such as PicGo or PicList, is using port {{port}}. Quit it to let Pixdock take over.',
  portTaken: 'Another program is using port {{port}}, the only one that editors support.',
  editorVisibility: 'Visibility of editor uploads',
  editorVisibilityHint: 'Readers of a page you publish see its pictures only if anyone with the link can see them.',
  editorAlbum: 'Album for editor uploads',
} as const;
