import { useEffect } from 'react';
import { isTyping } from '#renderer/images/typing.ts';

/** Lets the Delete key delete the image that the viewer shows, except while typing or in a menu. */
export function useDeleteKey(onDelete: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Delete' || event.defaultPrevented || event.repeat || isTyping(event.target)) return;
      // Dialogs and menus above the viewer keep their keys.
      const above = event.target instanceof Element ? event.target.closest('[role="dialog"], [role="menu"], [role="listbox"]') : null;
      if (above && !above.querySelector('[data-stage]')) return;
      event.preventDefault();
      onDelete();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onDelete]);
}
