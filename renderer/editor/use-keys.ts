import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ShownView } from '#renderer/editor/stage/use-view.ts';
import { keyOf, TOOLS } from '#renderer/editor/tools/tools.ts';
import { isTyping } from '#renderer/images/typing.ts';
import type { Editor } from './use-editor.ts';

/** A step of an arrow key, in CSS pixels. */
const STEP = 4;
const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Keys of the picture: add, select, move, resize. */
export function useStageKeys(editor: Editor, shown: ShownView) {
  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow) {
        const step = Math.max(1, Math.round(STEP / shown.view.scale));
        editor.transformByStep({ x: arrow[0] * step, y: arrow[1] * step }, event.shiftKey);
      } else if (event.key === 'Enter' && editor.cropping) editor.applyCrop();
      else if (event.key === 'Enter') editor.add();
      else if (event.key === ' ') editor.selectNext();
      else return;
      event.preventDefault();
    },
  };
}

/** Calls `press` for keys pressed anywhere in the editor, except while typing. It returns whether the key did something. */
export function useDocumentKeys(press: (event: globalThis.KeyboardEvent) => boolean): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      // A question or a menu above the editor keeps its keys.
      const above = event.target instanceof Element ? event.target.closest('[role="dialog"], [role="menu"]') : null;
      if (above && !above.querySelector('[data-editor]')) return;
      if (latest.current(event)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Zooms in and out, to the picture's own size, and to the whole picture. */
export function useZoomKeys(shown: ShownView): void {
  useDocumentKeys((event) => {
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === '+' || event.key === '=') shown.zoom(1.25);
    else if (event.key === '-') shown.zoom(0.8);
    else if (event.key === '0') shown.fit();
    else if (event.key === '1') shown.fullSize();
    else return false;
    return true;
  });
}

/** What keys do with the whole picture. */
export interface PictureKeys {
  /** While the picture is saved, the keys do nothing. */
  isBusy: boolean;
  /** Escape, when there is nothing else to end. */
  onClose(): void;
  /** ? */
  onHelp(): void;
  /** Ctrl+S */
  onSave(): void;
  /** Ctrl+C while nothing is selected. */
  onCopy?(): void;
  /** Ctrl+P */
  onPin?(): void;
}

/** Keys that work wherever the focus is in the editor. */
export function useEditorKeys(editor: Editor, picture: PictureKeys): void {
  useDocumentKeys((event) => {
    if (picture.isBusy) return false;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) return pressWithControl(key, event.shiftKey, editor) || pressForPicture(key, picture);
    if (key === 'escape') endLast(editor, picture.onClose);
    else if (key === '?') picture.onHelp();
    else if ((key === 'delete' || key === 'backspace') && editor.chosen) editor.remove(editor.chosen.id);
    else if (key === 'r') editor.turn(event.shiftKey ? -1 : 1);
    else if (event.shiftKey) return false;
    else {
      const tool = TOOLS.find((name) => keyOf(name).toLowerCase() === key);
      if (!tool) return false;
      editor.choose(tool);
    }
    return true;
  });
}

/** Undo, redo, and the clipboard. Text that is selected on the page is copied as usual. */
function pressWithControl(key: string, isShifted: boolean, editor: Editor): boolean {
  if (key === 'z' && isShifted) editor.redo();
  else if (key === 'z') editor.undo();
  else if (key === 'y') editor.redo();
  else if (key === 'v' && editor.copied && !editor.cropping) editor.paste();
  else if (!editor.chosen || window.getSelection()?.toString()) return false;
  else if (key === 'c') editor.copy();
  else if (key === 'd') editor.duplicate();
  else if (key === 'x') {
    editor.copy();
    editor.remove(editor.chosen.id);
  } else return false;
  return true;
}

/** Saves, copies and pins the whole picture. */
function pressForPicture(key: string, { onSave, onCopy, onPin }: PictureKeys): boolean {
  // Everything would be selected, buttons included.
  if (key === 'a') return true;
  if (key === 's') onSave();
  else if (key === 'c' && onCopy && !window.getSelection()?.toString()) onCopy();
  else if (key === 'p' && onPin) onPin();
  else return false;
  return true;
}

/** Ends what was begun last: a crop, a selection, a tool, and then editing. */
function endLast(editor: Editor, onClose: () => void) {
  if (editor.cropping) editor.cancelCrop();
  else if (editor.chosen) editor.select(undefined);
  else if (editor.tool !== 'select') editor.choose('select');
  else onClose();
}
