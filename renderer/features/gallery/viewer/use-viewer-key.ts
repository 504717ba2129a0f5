import { useEffect } from 'react';
import { isTyping } from '#renderer/images/typing.ts';

/** Calls `onPress` when a key is pressed alone in the viewer, except while typing or in a menu. */
export function useViewerKey(key: string, onPress: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key.toLowerCase() || event.defaultPrevented || event.repeat || isTyping(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
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
