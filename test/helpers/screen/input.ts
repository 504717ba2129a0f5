import { commands, userEvent } from 'vitest/browser';
import type {} from './vite.ts';

/** A real JPEG, or a PNG by its name, in one colour; the name may contain folders where it is dropped. */
export async function pictureFile(name: string, { width = 60, height = 40, colour = 'teal' } = {}): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg';
  return new File([await canvas.convertToBlob({ type })], name, { type });
}

/** A real video of four seconds, 160 × 90 pixels, whose beginning is black. */
export async function videoFile(name = 'clip.webm'): Promise<File> {
  const response = await fetch(new URL('../../fixtures/video/black-start.webm', import.meta.url));
  return new File([await response.blob()], name, { type: 'video/webm' });
}

/** Drags files from the disk over the page and drops them, as a user would. `midway` runs while they hover; `at` says where they are dropped. */
export async function dropFiles(
  files: readonly File[],
  { midway, at = () => ({ x: 400, y: 300 }) }: { midway?: () => Promise<unknown>; at?: () => { x: number; y: number } } = {},
): Promise<void> {
  const sent = files.map(async (file) => ({ name: file.name, base64: await toBase64(file) }));
  await commands.dragFiles(await Promise.all(sent), { x: 400, y: 300 });
  await midway?.();
  await commands.dropFiles(at());
}

async function toBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

/** The text in the clipboard. */
export function copiedText(): Promise<string> {
  window.focus();
  return navigator.clipboard.readText();
}

/** Pastes text or a picture into what has the focus. */
export async function paste(what: string | File): Promise<void> {
  window.focus();
  const blob = typeof what === 'string' ? new Blob([what], { type: 'text/plain' }) : what;
  await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
  await userEvent.keyboard('{ControlOrMeta>}v{/ControlOrMeta}');
}
