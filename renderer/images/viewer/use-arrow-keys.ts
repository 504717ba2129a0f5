import { type RefObject, useEffect } from 'react';
import type { ControllerRef } from 'yet-another-react-lightbox';

/** Elements with arrow keys of their own. */
const OWN_ARROWS = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"], [role="slider"]';

/**
 * Lets the arrow keys change the image wherever the focus is in the viewer. The stage itself handles them only while focused.
 * Dialogs above the viewer keep their keys.
 */
export function useArrowKeys(stage: RefObject<HTMLElement | null>, controller: RefObject<ControllerRef | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const target = event.target as Element;
      const viewer = stage.current?.closest('dialog, [role="dialog"]');
      if (stage.current?.contains(target) && target !== stage.current) return;
      if (target.closest(OWN_ARROWS) || !(viewer?.contains(target) || target === document.body)) return;
      event.preventDefault();
      if (event.key === 'ArrowLeft') controller.current?.prev();
      else controller.current?.next();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [stage, controller]);
}
