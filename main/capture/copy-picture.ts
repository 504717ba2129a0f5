import { type Clipboard, ClipboardItem } from 'electron';
import { type ClipboardContent, readClipboard } from './clipboard.ts';

/**
 * Copies a PNG, and a text in the same item, so that each program pastes what it can. Returns the clipboard's content afterwards: systems may
 * encode pictures again. Under Wayland, only a window that has the focus can do that.
 */
export async function copyPicture(clipboard: Pick<Clipboard, 'read' | 'write'>, png: Uint8Array, text?: string): Promise<ClipboardContent> {
  const picture = new Blob([new Uint8Array(png)], { type: 'image/png' });
  const words: Record<string, Blob> = text === undefined ? {} : { 'text/plain': new Blob([text], { type: 'text/plain' }) };
  await clipboard.write([new ClipboardItem({ ...words, 'image/png': picture })]);
  return readClipboard(clipboard);
}
