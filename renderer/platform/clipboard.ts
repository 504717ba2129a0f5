import { desktopBridge } from './bridge.ts';

const apple = () => /mac|iphone|ipad/i.test(navigator.userAgent);

/** This system's names for the usual keys. */
export const copyKeys = () => (apple() ? '⌘C' : 'Ctrl+C');
export const commandKey = () => (apple() ? '⌘' : 'Ctrl');
/** A letter or sign pressed together with the command key. */
export const withCommand = (key: string) => (apple() ? `⌘${key}` : `Ctrl+${key}`);
export const pasteKeys = () => (apple() ? '⌘V' : 'Ctrl+V');

type CopyKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;
/** Whether a key asks to copy, and no text is selected that it would copy. */
export const isCopyKey = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: CopyKey) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && !repeat && key.toLowerCase() === 'c' && !window.getSelection()?.toString();

/**
 * Copies text by the best means available: the desktop app, the asynchronous clipboard (secure contexts only), or the old command,
 * which also works on plain http but only shortly after a click.
 * Resolves with false if all fail; the caller then shows the text to copy by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  return (await throughDesktop(text)) || (await throughClipboard(text)) || throughCommand(text);
}

async function throughDesktop(text: string): Promise<boolean> {
  const bridge = desktopBridge();
  if (!bridge) return false;
  return bridge.copyText(text).then(
    () => true,
    () => false,
  );
}

async function throughClipboard(text: string): Promise<boolean> {
  // Typed as always present, but missing on plain http.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Copies by selecting the text in an invisible field, placed inside any open dialog, whose focus trap would take the focus from it elsewhere. */
function throughCommand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.style.cssText = 'position:fixed;inset-block-start:0;inline-size:1px;block-size:1px;opacity:0';
  (before?.closest('dialog, [role="dialog"]') ?? document.body).append(field);
  try {
    field.select();
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** Pictures can only be copied in secure contexts. */
export const canCopyPictures = () => 'ClipboardItem' in window && (navigator.clipboard as Clipboard | undefined) !== undefined;

/** Copies a picture itself, as a PNG, which is the only format that clipboards take; of an animation, its first frame. */
export async function copyPixels(src: string): Promise<void> {
  // As a promise: the press of the button permits copying only for a moment.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(src) })]);
}

async function toPng(src: string): Promise<Blob> {
  const image = new Image();
  image.src = src;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large to copy'))), 'image/png'),
  );
}
