import { useEffect } from 'react';
import { isTyping } from '#renderer/images/typing.ts';
import { isCopyKey } from '#renderer/platform/clipboard.ts';

/** Calls `onPress` when a key is pressed in the viewer, except while typing or in a menu: alone, or to copy while no text is selected. */
export function useViewerKey(key: string, onPress: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPressed(key, event) || event.defaultPrevented || event.repeat || isTyping(event.target)) return;
      // Dialogs and menus above the viewer keep their keys.
      const above = event.target instanceof Element ? event.target.closest('[role="dialog"], [role="menu"], [role="listbox"]') : null;
      if (above && !above.querySelector('[data-stage]')) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key, onPress]);
}

function isPressed(key: string, event: KeyboardEvent): boolean {
  if (key === 'copy') return isCopyKey(event);
  return event.key.toLowerCase() === key.toLowerCase() && !event.ctrlKey && !event.metaKey && !event.altKey;
}
