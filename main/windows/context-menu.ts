import { type BrowserWindow, type ContextMenuParams, clipboard, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';

/** What the menu does with the place that was clicked. */
interface Actions {
  copyImage(): void;
  copyText(text: string): void;
  save(address: string): void;
}

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'mediaType' | 'srcURL' | 'linkURL' | 'editFlags'>;

/** The context menu for a place in a page; empty where there is nothing to do. */
export function contextMenu(clicked: Clicked, texts: Texts, actions: Actions): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, mediaType, srcURL, linkURL, editFlags } = clicked;
  const edit: MenuItemConstructorOptions[] = [
    { role: 'cut', label: texts.cut, enabled: editFlags.canCut },
    { role: 'copy', label: texts.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: texts.paste, enabled: editFlags.canPaste },
    { role: 'selectAll', label: texts.selectAll, enabled: editFlags.canSelectAll },
  ];
  const image: MenuItemConstructorOptions[] = [
    { label: texts.copyPicture, click: actions.copyImage },
    { label: texts.copyPictureAddress, click: () => actions.copyText(srcURL) },
    { label: texts.savePicture, click: () => actions.save(srcURL) },
  ];
  const link: MenuItemConstructorOptions[] = [{ label: texts.copyLinkAddress, click: () => actions.copyText(linkURL) }];
  const groups = [
    isEditable ? edit : selectionText.trim() !== '' ? [{ role: 'copy', label: texts.copy } as const] : [],
    mediaType === 'image' ? image : [],
    linkURL !== '' ? link : [],
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index) => (index === 0 ? group : [{ type: 'separator' } as const, ...group]));
}

/** Shows the context menu on a right click, or on the menu key. */
export function setupContextMenu(window: BrowserWindow, texts: () => Texts): void {
  const contents = window.webContents;
  contents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, texts(), {
      copyImage: () => contents.copyImageAt(clicked.x, clicked.y),
      copyText: (text) => {
        clipboard.writeText(text).catch((error: unknown) => console.error('Couldn’t write to the clipboard:', error));
      },
      save: (address) => contents.downloadURL(address),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}
