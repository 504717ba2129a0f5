import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ShownView } from '#renderer/editor/stage/use-view.ts';
import { isTyping } from '#renderer/images/typing.ts';
import type { Tool } from './tools.ts';
import type { Editor } from './use-editor.ts';

/** The key of each tool. */
export const TOOL_KEYS: Record<Tool, string> = { select: 'V', crop: 'C', pixelate: 'P', blur: 'U', box: 'B', arrow: 'A', text: 'T' };

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
      else if (event.key === '+' || event.key === '=') shown.zoom(1.25);
      else if (event.key === '-') shown.zoom(0.8);
      else if (event.key === '0') shown.fit();
      else return;
      event.preventDefault();
    },
  };
}

/** Keys that work wherever the focus is in the editor, except while typing. `onClose` is called by Escape when there is nothing else to end. */
export function useEditorKeys(editor: Editor, isBusy: boolean, onClose: () => void): void {
  const press = (event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || isBusy || isTyping(event.target)) return;
    // A question or a menu above the editor keeps its keys.
    const above = event.target instanceof Element ? event.target.closest('[role="dialog"], [role="menu"]') : null;
    if (above && !above.querySelector('[data-editor]')) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z' && event.shiftKey) editor.redo();
      else if (key === 'z') editor.undo();
      else if (key === 'y') editor.redo();
      else return;
    } else if (key === 'escape') endLast(editor, onClose);
    else if ((key === 'delete' || key === 'backspace') && editor.chosen) editor.remove(editor.chosen.id);
    else if (key === 'r') editor.turn(event.shiftKey ? -1 : 1);
    else if (event.shiftKey) return;
    else {
      const tool = (Object.keys(TOOL_KEYS) as Tool[]).find((name) => TOOL_KEYS[name].toLowerCase() === key);
      if (!tool) return;
      editor.choose(tool);
    }
    event.preventDefault();
  };
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Ends what was begun last: a crop, a selection, a tool, and then editing. */
function endLast(editor: Editor, onClose: () => void) {
  if (editor.cropping) editor.cancelCrop();
  else if (editor.chosen) editor.select(undefined);
  else if (editor.tool !== 'select') editor.choose('select');
  else onClose();
}
