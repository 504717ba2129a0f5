import { useEffect } from 'react';
import { isTyping } from '#renderer/images/typing.ts';

let last: (() => void) | undefined;

/** Makes this what Ctrl+Z does next, once. */
export function rememberUndo(undo: () => void): void {
  last = undo;
}

/** Forgets an action that has been undone in another way. */
export function forgetUndo(undo: () => void): void {
  if (last === undo) last = undefined;
}

/** Lets Ctrl+Z undo the last action of the page, except while typing. */
export function useUndoKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (event.defaultPrevented || !command || event.key.toLowerCase() !== 'z' || isTyping(event.target) || !last) return;
      event.preventDefault();
      const undo = last;
      last = undefined;
      undo();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
